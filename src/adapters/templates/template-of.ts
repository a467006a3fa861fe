import type { z } from "zod";
import type {
  concurrentFileShape,
  magenticFileShape,
  roleFileShape,
  sequentialFileShape,
  taskFileShape,
} from "../../contract/shapes/template-file.ts";
import type { Locale } from "../../domain/locale.ts";
import type {
  GroupPlan,
  GroupTemplate,
  RoleTemplate,
  TaskTemplate,
  TemplateAgent,
  TemplateIcon,
  TemplateKind,
  TemplateValue,
  Words,
} from "../../domain/templates/template.ts";

type TaskFile = z.output<typeof taskFileShape>;
type RoleFile = z.output<typeof roleFileShape>;
type Concurrent = z.output<typeof concurrentFileShape>;
type Sequential = z.output<typeof sequentialFileShape>;
type Magentic = z.output<typeof magenticFileShape>;
export type AnyGroupFile = Concurrent | Sequential | Magentic;

type Written = string | Words;

const ICONS: Readonly<Record<TemplateKind, TemplateIcon>> = {
  task: "clipboard",
  group: "layers",
  role: "users",
};

export function taskTemplateOf(file: TaskFile): TaskTemplate {
  return {
    ...aboutOf(file),
    kind: "task",
    request: wordsOf(file.request),
    priority: file.priority ?? null,
    workingDirectory: file.workingDirectory ?? null,
    hints: {
      prompt: wordsOrNull(file.hints?.prompt),
      steps: (file.hints?.steps ?? []).map(wordsOf),
    },
  };
}

export function groupTemplateOf(file: AnyGroupFile): GroupTemplate {
  return {
    ...aboutOf(file),
    kind: "group",
    workingDirectory: file.workingDirectory ?? null,
    plan: planOf(file),
  };
}

export function roleTemplateOf(file: RoleFile): RoleTemplate {
  const { role } = file;
  return {
    ...aboutOf(file),
    kind: "role",
    role: {
      id: role.id,
      name: wordsOf(role.name),
      description: wordsOf(role.description),
      systemPrompt: wordsOf(role.systemPrompt),
      model: role.model ?? null,
      runner: role.runner ?? null,
      access: role.access ?? "read-write",
      tools: role.tools ?? [],
      mcpServers: role.mcpServers ?? [],
    },
  };
}

function planOf(file: AnyGroupFile): GroupPlan {
  if ("agents" in file) return { mode: "concurrent", agents: file.agents.map(agentOf) };
  if ("stages" in file) {
    return {
      mode: "sequential",
      stages: file.stages.map(({ name, agents }) => ({
        name: wordsOrNull(name),
        agents: agents.map(agentOf),
      })),
      onFailure: file.onFailure ?? "stop",
    };
  }
  return {
    mode: "magentic",
    task: wordsOf(file.task),
    completionCriteria: wordsOf(file.completionCriteria),
    scope: wordsOf(file.scope),
    constraints: wordsOrNull(file.constraints),
    context: wordsOrNull(file.context),
    availableRoles: file.availableRoles ?? null,
    maxIterations: file.maxIterations ?? 10,
  };
}

function agentOf({ role, prompt }: { role: string; prompt: Written }): TemplateAgent {
  return { role, prompt: wordsOf(prompt) };
}

function aboutOf(file: TaskFile | AnyGroupFile | RoleFile) {
  return {
    id: file.id,
    icon: file.icon ?? ICONS[file.kind],
    name: wordsOf(file.name),
    description: wordsOf(file.description),
    languages: languagesOf(mainTextOf(file)),
    values: (file.values ?? []).map(valueOf),
    needs: { servers: file.needs?.servers ?? [], help: wordsOrNull(file.needs?.help) },
  };
}

/** The text that decides in which languages the template can be used. */
function mainTextOf(file: TaskFile | AnyGroupFile | RoleFile): Written {
  if ("request" in file) return file.request;
  if ("role" in file) return file.role.systemPrompt;
  if ("task" in file) return file.task;
  const agents = "agents" in file ? file.agents : file.stages.flatMap((stage) => stage.agents);
  return agents[0]?.prompt ?? file.name;
}

function languagesOf(written: Written): readonly Locale[] {
  if (typeof written !== "string") return ["ja", "en"];
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(written) ? ["ja"] : ["en"];
}

function valueOf(value: NonNullable<TaskFile["values"]>[number]): TemplateValue {
  return {
    name: value.name,
    label: wordsOf(value.label ?? value.name),
    help: wordsOrNull(value.help),
    default: wordsOrNull(value.default),
    choices: (value.choices ?? []).map(wordsOf),
    isLong: value.long ?? false,
  };
}

function wordsOf(written: Written): Words {
  return typeof written === "string" ? { ja: written, en: written } : written;
}

function wordsOrNull(written: Written | undefined): Words | null {
  return written === undefined ? null : wordsOf(written);
}
