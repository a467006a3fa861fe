import { type DemoStory, demoStoryOf, PAUSES_AFTER } from "../../../../src/contract/demo.ts";
import type { TaskDetail } from "../../api/task-detail.ts";

/** Where the tour is. It follows the task, so a person can do things in another order. */
export type Stage =
  | "start"
  | "drafting"
  | "prompt"
  | "process"
  | "watch"
  | "check"
  | "question"
  | "block"
  | "stopping"
  | "unblock"
  | "resumed"
  | "done"
  | "ended";

/** The stages in the order of a story; some of them share a place. */
const PLACES: readonly (readonly Stage[])[] = [
  ["start", "drafting"],
  ["prompt"],
  ["process"],
  ["watch"],
  ["check", "question"],
  ["block", "stopping"],
  ["unblock", "resumed"],
  ["done", "ended"],
];
const CODING_PLACES: readonly (readonly Stage[])[] = [
  ["start", "drafting"],
  ["prompt"],
  ["process"],
  ["watch"],
  ["block", "stopping"],
  ["unblock", "resumed"],
  ["check", "question"],
  ["done", "ended"],
];

export const PLACE_COUNT = PLACES.length;

/** From 1 to PLACE_COUNT. */
export function placeOf(stage: Stage, story: DemoStory | undefined): number {
  const places = story === "coding" ? CODING_PLACES : PLACES;
  return places.findIndex((stages) => stages.includes(stage)) + 1;
}

export type Shown = Pick<TaskDetail, "request" | "status" | "executions" | "approvals" | "agents">;

export function stageOf(task: Shown | undefined): Stage {
  if (!task) return "start";
  switch (task.status) {
    case "analyzing":
    case "planning":
    case "designing":
      return "drafting";
    case "awaiting_prompt_approval":
      return "prompt";
    case "awaiting_process_approval":
      return "process";
    case "in_progress":
      return stageOfExecution(task);
    case "blocked":
      return isRunning(task) ? "stopping" : "unblock";
    case "completed":
      return "done";
    case "failed":
    case "cancelled":
      return "ended";
  }
}

function stageOfExecution(task: Shown): Stage {
  const pending = task.approvals.find(({ status }) => status === "pending");
  if (pending) return pending.kind === "question" ? "question" : "check";
  // A second attempt: the task was blocked and unblocked.
  if (task.executions.length > 1) return "resumed";
  const story = demoStoryOf(task.request);
  const steps = task.executions.at(-1)?.steps ?? [];
  const isPaused = steps.some(
    ({ stepId, status }) => story && stepId === PAUSES_AFTER[story] && status === "done",
  );
  return isPaused ? "block" : "watch";
}

function isRunning({ agents }: Shown): boolean {
  return agents.some(({ status }) => status === "running" || status === "queued");
}
