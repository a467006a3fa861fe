import type { ProcessDraft, PromptDraft } from "../../../domain/tasks/draft.ts";
import type {
  AnalysisInput,
  DesignInput,
  DraftInput,
  PlanInput,
  Rejection,
  SentBack,
  TaskFacts,
} from "../../../domain/tasks/drafting.ts";
import { toolName } from "../../../domain/tasks/step-tool.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import { listAllApprovals } from "../../approvals/list-all-approvals.ts";
import type { Core } from "../../core.ts";
import { taskCatalogue } from "../../gateway/list-agent-tools.ts";

export type DraftingStage = Exclude<DraftInput["stage"], "execution">;

/** The input of the next drafting agent: the request, what was approved, and every rejection. */
export function draftInput(
  core: Core,
  task: Task,
  stage: DraftingStage,
  sentBack: SentBack | null,
): Promise<DraftInput> {
  switch (stage) {
    case "analysis":
      return Promise.resolve(analysisInput(core, task, sentBack));
    case "planning":
      return planInput(core, task, sentBack);
    case "design":
      return designInput(core, task, sentBack);
  }
}

function analysisInput(core: Core, task: Task, sentBack: SentBack | null): AnalysisInput {
  return {
    stage: "analysis",
    ...commonOf(core, task),
    types: core.settings.tasks.types,
    priority: task.isPriorityGiven ? task.priority : null,
    sentBack,
  };
}

async function planInput(core: Core, task: Task, sentBack: SentBack | null): Promise<PlanInput> {
  const past = await pastOf(core, task);
  return {
    stage: "planning",
    ...commonOf(core, task),
    task: factsOf(task),
    catalogue: await taskCatalogue(core),
    rejections: past.rejections,
    previous: past.prompts.findLast(({ id }) => past.rejected.has(id))?.content ?? null,
    sentBack,
  };
}

async function designInput(
  core: Core,
  task: Task,
  sentBack: SentBack | null,
): Promise<DesignInput> {
  const past = await pastOf(core, task);
  const prompt = past.prompts.find(({ id }) => id === task.promptId);
  if (!prompt) throw new Error(`The approved prompt of ${task.id} is not in the store.`);
  const previous = past.processes.findLast(({ id }) => past.rejected.has(id));
  return {
    stage: "design",
    ...commonOf(core, task),
    task: factsOf(task),
    prompt: prompt.content,
    catalogue: await taskCatalogue(core),
    rejections: past.rejections,
    previous: previous?.steps.map(designedStep) ?? null,
    sentBack,
  };
}

function commonOf(core: Core, { request }: Task) {
  return { locale: core.settings.locale, request };
}

export function factsOf({ title, description, priority, type }: Task): TaskFacts {
  return { title: title ?? "", description: description ?? "", priority, type: type ?? "" };
}

function designedStep({ title, server, tool, requiresHumanCheck }: ProcessDraft["steps"][number]) {
  return { title, tool: toolName({ server, tool }), requiresHumanCheck };
}

type Past = {
  readonly prompts: readonly PromptDraft[];
  readonly processes: readonly ProcessDraft[];
  /** Ids of drafts. */
  readonly rejected: ReadonlySet<string>;
  readonly rejections: readonly Rejection[];
};

/** Every version so far, and the reasons of all rejections. */
async function pastOf({ store }: Core, task: Task): Promise<Past> {
  const prompts = await store.listPromptDrafts(task.id);
  const processes = await store.listProcessDrafts(task.id);
  const approvals = await listAllApprovals(store, { taskId: task.id, statuses: ["rejected"] });
  const versions = new Map<string, number>(
    [...prompts, ...processes].map(({ id, version }) => [id, version]),
  );
  const rejected = new Set<string>();
  const rejections: Rejection[] = [];
  for (const { subjectId, reason } of approvals.toReversed()) {
    const version = subjectId === null ? undefined : versions.get(subjectId);
    if (subjectId === null || version === undefined) continue;
    rejected.add(subjectId);
    rejections.push({ version, reason: reason ?? "" });
  }
  return { prompts, processes, rejected, rejections };
}
