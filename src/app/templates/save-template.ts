import { truncate } from "../../base/truncate.ts";
import { ID_PATTERN, ID_RULE } from "../../contract/config/fields.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { ProcessDraft } from "../../domain/tasks/draft.ts";
import type { Task } from "../../domain/tasks/task.ts";
import { escapePlaceholders } from "../../domain/templates/placeholders.ts";
import type { TaskTemplate, Words } from "../../domain/templates/template.ts";
import { withoutSecrets } from "../../domain/templates/without-secrets.ts";
import { oneLine } from "../../domain/text/one-line.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import { savedPath } from "../ports/template-store.ts";
import { requireTask } from "../tasks/require-task.ts";

export type SaveTemplate = {
  readonly taskId: string;
  /** Default: made of the title of the task. */
  readonly id?: string;
  /** Default: the title of the task. */
  readonly name?: string;
  readonly overwrite: boolean;
};

export type TemplateSaved = {
  readonly id: string;
  readonly path: string;
  /** How many texts looked like secrets and were left out. */
  readonly removedSecrets: number;
};

const MAX_NAME_CHARS = 80;
const MAX_DESCRIPTION_CHARS = 300;
const MAX_PROMPT_CHARS = 6_000;
const MAX_STEP_CHARS = 300;
const MAX_STEPS = 50;

/** Makes a template of a task that has ended: its request, and its approved prompt and steps as hints. */
export async function saveTemplate(
  core: Core,
  identity: Identity,
  input: SaveTemplate,
): Promise<TemplateSaved> {
  const person = requirePerson(identity, "operator");
  const task = await requireTask(core.store, input.taskId);
  if (task.endedAt === null) throw notEnded(task);
  const id = requireId(input.id ?? idFor(task));
  const own = core.templates.areSavedInStore ? "saved" : "folder";
  const { templates } = await core.templates.list();
  const taken = templates.find(({ template, source }) => template.id === id && source !== own);
  if (taken) throw taken.source === "builtin" ? exists(id, taken.path) : isFile(id, taken.path);

  const cleaner = createCleaner();
  const template = await templateFor(core, task, { id, name: input.name, clean: cleaner.clean });
  const path = core.templates.areSavedInStore
    ? await saveInStore(core, person.id, template, input)
    : await core.templates.save(template, input.overwrite);
  if (path === undefined) throw exists(id, core.templates.folder);
  return { id, path, removedSecrets: cleaner.removed() };
}

async function saveInStore(
  core: Core,
  savedBy: string,
  template: TaskTemplate,
  { taskId, overwrite }: SaveTemplate,
): Promise<string> {
  const { id } = template;
  const text = await core.templates.render(template);
  const path = savedPath(id);
  await core.store.transaction(async (unit) => {
    const row = { id, text, savedBy, savedAt: core.clock.now() };
    if (!(await unit.putSavedTemplate(row, overwrite))) throw exists(id, path);
    await recordAudit(core, unit, {
      actor: savedBy,
      action: "template.saved",
      subject: id,
      data: { taskId, name: template.name.en },
    });
  });
  return path;
}

type Making = {
  readonly id: string;
  readonly name: string | undefined;
  readonly clean: (text: string, maxChars: number) => string;
};

async function templateFor(core: Core, task: Task, making: Making): Promise<TaskTemplate> {
  const { store } = core;
  const { clean } = making;
  const prompts = await store.listPromptDrafts(task.id);
  const processes = await store.listProcessDrafts(task.id);
  const prompt = prompts.find((draft) => draft.id === task.promptId);
  const process = processes.find((draft) => draft.id === task.processId);
  const request = clean(task.request, task.request.length);
  const description = clean(task.description ?? task.request, MAX_DESCRIPTION_CHARS);
  return {
    id: making.id,
    kind: "task",
    icon: "clipboard",
    name: same(clean(oneLine(making.name ?? task.title ?? task.request), MAX_NAME_CHARS)),
    description: same(description),
    languages: [],
    values: [],
    needs: { servers: [...new Set(serversOf(process))], help: null },
    request: same(escapePlaceholders(request)),
    priority: task.isPriorityGiven ? task.priority : null,
    workingDirectory: null,
    hints: {
      prompt: prompt ? same(clean(prompt.content, MAX_PROMPT_CHARS)) : null,
      steps: (process?.steps ?? [])
        .slice(0, MAX_STEPS)
        .map(({ title, server, tool }) =>
          same(clean(`${title} (${server === null ? tool : `${server}/${tool}`})`, MAX_STEP_CHARS)),
        ),
    },
  };
}

function serversOf(process: ProcessDraft | undefined): readonly string[] {
  return (process?.steps ?? []).flatMap(({ server }) => (server === null ? [] : [server]));
}

function createCleaner() {
  const secrets = new Set<string>();
  return {
    clean: (text: string, maxChars: number): string => {
      const { text: cleaned, removed } = withoutSecrets(text);
      for (const secret of removed) secrets.add(secret);
      return truncate(cleaned, maxChars);
    },
    removed: () => secrets.size,
  };
}

function same(text: string): Words {
  return { ja: text, en: text };
}

/** A Japanese title has no letters for an id, so a part of the task's id is used. */
function idFor({ id, title }: Task): string {
  const letters = (title ?? "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, "");
  const end = id
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(-6)
    .toLowerCase();
  return letters.length >= 3 ? letters : `saved-${end}`;
}

function requireId(id: string): string {
  if (ID_PATTERN.test(id)) return id;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [`"${id.slice(0, 60)}" cannot be the id of a template.`, `Give ${ID_RULE}.`],
    ja: [
      `「${id.slice(0, 60)}」はテンプレートの ID にできません。`,
      "英小文字、数字、ハイフンで、英小文字か数字から始まる 40 文字以内の ID にしてください。",
    ],
  });
}

function notEnded({ id }: Task): Refusal {
  return new Refusal("TRANSITION_NOT_ALLOWED", {
    en: [`The task ${id} has not ended yet.`, "Save it as a template when it has."],
    ja: [
      `タスク ${id} はまだ終わっていません。`,
      "終わってから、テンプレートとして保存してください。",
    ],
  });
}

function exists(id: string, place: string): Refusal {
  return new Refusal("TEMPLATE_EXISTS", {
    en: [
      `There is a template "${id}" already (${place}).`,
      "Choose another id. A template of your own can be overwritten (overwrite).",
    ],
    ja: [
      `テンプレート「${id}」はすでにあります（${place}）。`,
      "別の ID を選んでください。自分のテンプレートは上書きできます（overwrite）。",
    ],
  });
}

/** The other servers may not have the file, so a saved template must not take its place here. */
function isFile(id: string, path: string): Refusal {
  return new Refusal("TEMPLATE_EXISTS", {
    en: [
      `There is a template "${id}" already (${path}).`,
      "Choose another id, or delete the file first.",
    ],
    ja: [
      `テンプレート「${id}」はすでにあります（${path}）。`,
      "別の ID を選ぶか、先にそのファイルを削除してください。",
    ],
  });
}
