import type { RunnerId } from "../agents/runner.ts";
import { isOpen, type HostProblem } from "../health/host-problem.ts";

/** What people type to name a worker. */
export const WORKER_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** Begins every token of a worker, so that people and scanners recognize one. */
export const WORKER_TOKEN_PREFIX = "kmw_";

const ID_PREFIX = "wrk-";

export function workerId(ulid: string): string {
  return `${ID_PREFIX}${ulid}`;
}

/** Agents belong to servers and to workers. */
export function isWorkerId(hostId: string): boolean {
  return hostId.startsWith(ID_PREFIX);
}

/** A machine that may run agents. */
export type Worker = {
  readonly id: string;
  readonly name: string;
  /** It gets only agents whose labels are among these; null: agents with any labels. */
  readonly allowedLabels: readonly string[] | null;
  readonly createdAt: number;
  readonly createdBy: string;
};

/** What a worker tells of itself when it connects. */
export type WorkerDetails = {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly slots: number;
  readonly labels: readonly string[];
  /** The agent CLIs that are installed there. */
  readonly runners: readonly {
    readonly id: RunnerId;
    readonly version: string | null;
    /** Those that the CLI lists; absent: not known. */
    readonly models?: readonly string[];
  }[];
  /** It finishes its agents and takes no more. */
  readonly isDraining: boolean;
  /** Where it makes worktrees; absent: an older version, which makes none. */
  readonly worktreeRoot?: string;
  /** What its server has seen since it connected; absent: nothing. */
  readonly problems?: readonly HostProblem[];
};

/** Agent CLIs that a worker has, but cannot use now. */
export function unusableRunners(
  { problems = [] }: Pick<WorkerDetails, "problems">,
  now: number,
): ReadonlySet<RunnerId> {
  return new Set(problems.flatMap((each) => (isOpen(each, now) ? each.runner : [])));
}

/** Labels of the worker that its token does not allow. */
export function forbiddenLabels(
  { allowedLabels }: Pick<Worker, "allowedLabels">,
  labels: readonly string[],
): readonly string[] {
  return allowedLabels === null ? [] : labels.filter((label) => !allowedLabels.includes(label));
}
