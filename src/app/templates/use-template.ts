import { truncate } from "../../base/truncate.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { Group } from "../../domain/groups/group.ts";
import type { Locale } from "../../domain/locale.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Task, TaskDoor, TaskPriority } from "../../domain/tasks/task.ts";
import { fillerFor, type GivenValues, requestOf } from "../../domain/templates/request-of.ts";
import type {
  GroupTemplate,
  RoleTemplate,
  TaskTemplate,
  TemplateAgent,
  Words,
} from "../../domain/templates/template.ts";
import type { Core, Identity } from "../core.ts";
import { runMagentic } from "../groups/run-magentic.ts";
import { runPlan } from "../groups/run-plan.ts";
import { requirePerson } from "../people/require-person.ts";
import { createRole } from "../roles/create-role.ts";
import type { RolesSaved } from "../roles/save-roles.ts";
import { createTask } from "../tasks/create-task.ts";
import { requireTemplate } from "./require-template.ts";
import { serverMissing } from "./server-missing.ts";
import { type TemplateView, viewTemplate } from "./view-template.ts";

export type UseTemplate = {
  readonly id: string;
  readonly values: GivenValues;
  readonly locale: Locale;
  readonly workingDirectory?: string;
  readonly priority?: TaskPriority;
  readonly door: TaskDoor;
  /** The person has read the texts of a template from a folder that is not trusted. */
  readonly hasReadUntrusted: boolean;
  /** A role: returns what would be written, and writes nothing. */
  readonly dryRun: boolean;
  /** A role: the hash of the configuration file that the person saw. */
  readonly expectedHash?: string;
};

export type TemplateUsed =
  | { readonly kind: "task"; readonly task: Task }
  | { readonly kind: "group"; readonly group: Group; readonly agents: readonly Agent[] }
  | { readonly kind: "role"; readonly saved: RolesSaved };

const MAX_DESCRIPTION_CHARS = 200;

/** Starts the task or the group of a template, or adds its role to the configuration. */
export async function useTemplate(
  core: Core,
  identity: Identity,
  input: UseTemplate,
): Promise<TemplateUsed> {
  requirePerson(identity, "operator");
  const view = viewTemplate(core, await requireTemplate(core, input.id));
  const { template } = view;
  if (!view.isTrusted && !input.hasReadUntrusted) throw notRead(view);
  if (view.missing.servers.length > 0) throw serverMissing(view);
  switch (template.kind) {
    case "task":
      return { kind: "task", task: await startTask(core, identity, template, input) };
    case "group":
      return startGroup(core, identity, template, input);
    case "role":
      requirePerson(identity, "admin");
      return { kind: "role", saved: await addRole(core, template, input) };
  }
}

function startTask(
  core: Core,
  identity: Identity,
  template: TaskTemplate,
  input: UseTemplate,
): Promise<Task> {
  const priority = input.priority ?? template.priority;
  const workingDirectory = directoryOf(template, input);
  return createTask(core, identity, {
    request: requestOf(template, input.values, input.locale),
    door: input.door,
    ...(workingDirectory !== null && { workingDirectory }),
    ...(priority !== null && { priority }),
  });
}

async function startGroup(
  core: Core,
  identity: Identity,
  template: GroupTemplate,
  input: UseTemplate,
): Promise<TemplateUsed> {
  const filled = fillerFor(template, input.values, input.locale);
  const fill = (words: Words) => filled(words).trim();
  const workingDirectory = directoryOf(template, input);
  const description = truncate(template.name[input.locale], MAX_DESCRIPTION_CHARS);
  const { plan } = template;
  if (plan.mode === "magentic") {
    const orNull = (words: Words | null) => (words === null ? null : fill(words));
    const { group, orchestrator } = await runMagentic(core, identity, {
      description,
      task: fill(plan.task),
      completionCriteria: fill(plan.completionCriteria),
      scope: fill(plan.scope),
      constraints: orNull(plan.constraints),
      context: orNull(plan.context),
      availableRoles: plan.availableRoles,
      maxIterations: plan.maxIterations,
      workingDirectory,
      timeoutMs: null,
    });
    return { kind: "group", group, agents: [orchestrator] };
  }
  const stages =
    plan.mode === "concurrent" ? [plan.agents] : plan.stages.map((stage) => stage.agents);
  const request = ({ role, prompt }: TemplateAgent) => ({
    role,
    prompt: fill(prompt),
    workingDirectory,
    timeoutMs: null,
  });
  const started = await runPlan(core, identity, {
    description,
    mode: plan.mode,
    stages: stages.map((agents) => agents.map(request)),
    onFailure: plan.mode === "sequential" ? plan.onFailure : "continue",
  });
  return { kind: "group", ...started };
}

function addRole(core: Core, template: RoleTemplate, input: UseTemplate): Promise<RolesSaved> {
  const fill = fillerFor(template, input.values, input.locale);
  const { id, access, tools, mcpServers, runner, model } = template.role;
  const writer = core.roles.get("impl-code") ?? [...core.roles.values()][0];
  return createRole(core, {
    id,
    fields: {
      name: template.role.name[input.locale],
      description: template.role.description[input.locale],
      systemPrompt: fill(template.role.systemPrompt),
      model: model ?? writer?.model ?? "auto",
      access,
      ...(runner !== null && { runner: typeof runner === "string" ? runner : [...runner] }),
      ...(tools.length > 0 && { tools: [...tools] }),
      ...(mcpServers.length > 0 && { mcpServers: [...mcpServers] }),
    },
    dryRun: input.dryRun,
    ...(input.expectedHash !== undefined && { expectedHash: input.expectedHash }),
  });
}

/** A template may name a subdirectory of the place where the person is. */
function directoryOf(
  { workingDirectory: hint }: Pick<TaskTemplate, "workingDirectory">,
  { workingDirectory: given }: UseTemplate,
): string | null {
  return given ?? hint;
}

function notRead({ template, path }: TemplateView): Refusal {
  return new Refusal("NOT_ALLOWED", {
    en: [
      `The template ${template.id} is part of a folder that is not trusted (${path}).`,
      "Read its texts first and confirm that you have (hasReadUntrusted), or trust the folder's configuration: `kuromajutsu trust`.",
    ],
    ja: [
      `テンプレート ${template.id} は、信頼されていないフォルダーのものです（${path}）。`,
      "先に内容を読んで、読んだことを示す（hasReadUntrusted）か、フォルダーの設定を信頼してください: `kuromajutsu trust`",
    ],
  });
}
