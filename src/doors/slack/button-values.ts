import type { Approval } from "../../domain/approvals/approval.ts";

/**
 * What the value of a button names. It is routing data: a handler reads the rows again and checks
 * who clicked. A part never contains a colon.
 */
export type DecisionValue = {
  readonly approvalId: string;
  /** The version of the approval that the card shows. */
  readonly version: number;
  /** The beginning of the hash of what the card shows. */
  readonly shown: string;
};
export type TaskValue = {
  readonly taskId: string;
  /** Set if the button is about one attempt: it must still be the newest one. */
  readonly executionId: string | null;
};

const SHOWN_CHARS = 16;

/** For all buttons that decide an approval. */
export function decisionValue({
  id,
  version,
  shownHash,
}: Pick<Approval, "id" | "version" | "shownHash">): string {
  return `d1:${id}:${version}:${shownHash.slice(0, SHOWN_CHARS)}`;
}

export function readDecisionValue(value: string): DecisionValue | undefined {
  const [kind, approvalId = "", version = "", shown = "", ...rest] = value.split(":");
  const isKnown = kind === "d1" && /^\d+$/.test(version) && rest.length === 0;
  return isKnown && approvalId !== "" && shown !== ""
    ? { approvalId, version: Number(version), shown }
    : undefined;
}

/** Whether the card showed what the approval is about. */
export function showsSame({ shown }: DecisionValue, { shownHash }: Pick<Approval, "shownHash">) {
  return shownHash.slice(0, SHOWN_CHARS) === shown;
}

/** For buttons that cancel, retry, block and unblock; `executionId` if the card is about an attempt. */
export function taskValue(taskId: string, executionId: string | null = null): string {
  return executionId === null ? `t1:${taskId}` : `t1:${taskId}:${executionId}`;
}

export function readTaskValue(value: string): TaskValue | undefined {
  const [kind, taskId = "", executionId, ...rest] = value.split(":");
  if (kind !== "t1" || taskId === "" || executionId === "" || rest.length > 0) return undefined;
  return { taskId, executionId: executionId ?? null };
}

export function groupValue(groupId: string): string {
  return `g1:${groupId}`;
}

export function readGroupValue(value: string): string | undefined {
  const [kind, groupId = "", ...rest] = value.split(":");
  return kind === "g1" && groupId !== "" && rest.length === 0 ? groupId : undefined;
}
