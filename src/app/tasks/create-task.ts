import { truncate } from "../../base/truncate.ts";
import type { ScheduleId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Task, TaskDoor, TaskPriority } from "../../domain/tasks/task.ts";
import type { Core, Identity } from "../core.ts";
import { insertGroup } from "../groups/create-group.ts";
import { recordAudit } from "../people/audit.ts";
import { actorOf, requesterOf } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { mayBeOnAHost, noHostHas } from "../workers/find-directory.ts";
import { taskFacts } from "./move-task.ts";

export type CreateTask = {
  /** Free text. */
  readonly request: string;
  /** Default: the client's own directory. */
  readonly workingDirectory?: string;
  /** Works in the directory of sample tasks, not where the person is. */
  readonly isSample?: boolean;
  /** Default: the analyst chooses one. */
  readonly priority?: TaskPriority;
  readonly door: TaskDoor;
  /** Default: the analyst writes one. */
  readonly title?: string;
  readonly scheduleId?: ScheduleId;
  /** Writes rows of the door in the transaction of the task. */
  readonly also?: (unit: UnitOfWork, task: Task) => Promise<void>;
};

export const MAX_REQUEST_CHARS = 20_000;
const MAX_TITLE_CHARS = 150;
const GROUP_DESCRIPTION_CHARS = 200;

/** Stores a person's request; the analysis begins after the commit. */
export async function createTask(core: Core, identity: Identity, input: CreateTask): Promise<Task> {
  requireNoAgent(identity);
  const requester = requesterOf(core, identity);
  const request = requireText("request", input.request, MAX_REQUEST_CHARS);
  const title =
    input.title === undefined ? null : requireText("title", input.title, MAX_TITLE_CHARS);
  const workingDirectory = input.isSample
    ? await core.directories.sample()
    : await directoryFor(core, identity, input.workingDirectory);
  const now = core.clock.now();

  return core.store.transaction(async (unit) => {
    const group = await insertGroup(core, unit, {
      description: startOf(request),
      mode: "concurrent",
      parentGroupId: null,
      magentic: null,
    });
    const created: Task = {
      id: `task-${core.random.ulid(now)}`,
      request,
      requester,
      door: input.door,
      scheduleId: input.scheduleId ?? null,
      status: "analyzing",
      title,
      description: null,
      priority: input.priority ?? "medium",
      isPriorityGiven: input.priority !== undefined,
      type: null,
      workingDirectory,
      groupId: group.id,
      regenerations: 0,
      draftAgentId: null,
      draftTries: 0,
      promptId: null,
      processId: null,
      executionId: null,
      failure: null,
      statusBy: null,
      statusReason: null,
      createdAt: now,
      updatedAt: now,
      endedAt: null,
      version: 1,
    };
    await unit.insertTask(created);
    await recordAudit(core, unit, {
      actor: actorOf(identity),
      action: "task.created",
      subject: created.id,
      data: {
        requester,
        door: input.door,
        request: startOf(request),
        requestHash: core.tokens.hash(request),
        workingDirectory,
        ...(input.scheduleId && { scheduleId: input.scheduleId }),
      },
    });
    const { data, ...facts } = taskFacts(created, now);
    await unit.emit({
      type: "task:created",
      ...facts,
      data: { ...data, request, door: input.door },
    });
    await input.also?.(unit, created);
    unit.afterCommit(() => core.clientKeys.remember(created.id, identity.keys ?? {}));
    return created;
  });
}

/** An agent that could create tasks would spend money without a person's approval. */
export function requireNoAgent(identity: Identity): void {
  if (identity.kind !== "agent") return;
  throw new Refusal("NOT_ALLOWED", {
    en: [
      "Only people may request and control tasks; agents may not.",
      "Do the work yourself, or write in your report what else should be done.",
    ],
    ja: [
      "タスクを依頼し操作できるのは利用者だけで、エージェントにはできません。",
      "自分で行うか、ほかに必要なことを報告に書いてください。",
    ],
  });
}

const TEXT_NAMES = { request: "依頼", title: "タイトル", name: "名前" } as const;

export function requireText(name: keyof typeof TEXT_NAMES, given: string, max: number): string {
  const text = given.trim();
  if (text.length > 0 && text.length <= max) return text;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      text.length === 0
        ? `${name} is empty.`
        : `${name} has ${text.length} characters; the maximum is ${max}.`,
      text.length === 0
        ? "Describe in a sentence what is to be done."
        : "Shorten it; put long material into a file and give its path in the request.",
    ],
    ja: [
      text.length === 0
        ? `${TEXT_NAMES[name]}が空です。`
        : `${TEXT_NAMES[name]}が ${text.length} 文字あります。上限は ${max} 文字です。`,
      text.length === 0
        ? "何をするのかを 1 文で書いてください。"
        : "短くしてください。長い資料はファイルに置き、そのパスを依頼に書いてください。",
    ],
  });
}

export async function directoryFor(
  core: Core,
  identity: Identity,
  asked: string | undefined,
): Promise<string> {
  const own = identity.kind !== "agent" ? identity.cwd : null;
  const directory = core.directories.resolve(asked ?? ".", own ?? core.settings.homeDirectory);
  if (await mayBeOnAHost(core, directory)) return directory;
  const elsewhere = await noHostHas(core, directory);
  if (elsewhere) throw elsewhere;
  throw new Refusal("WORKING_DIRECTORY_NOT_FOUND", {
    en: [
      `The working directory ${directory} does not exist.`,
      "Give the absolute path of an existing directory, or leave workingDirectory out.",
    ],
    ja: [
      `作業ディレクトリ ${directory} がありません。`,
      "存在するディレクトリの絶対パスを指定するか、作業ディレクトリを省略してください。",
    ],
  });
}

export function startOf(request: string): string {
  const line = request.split("\n", 1)[0] ?? "";
  return truncate(line, GROUP_DESCRIPTION_CHARS);
}
