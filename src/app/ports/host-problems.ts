import type { RunnerId } from "../../domain/agents/runner.ts";
import type { HostProblem } from "../../domain/health/host-problem.ts";

/** CLIs that one host cannot use for a while. Other hosts run their agents meanwhile. */
export type HostProblems = {
  find(runner: RunnerId): HostProblem | undefined;
  all(): readonly HostProblem[];
  add(seen: Pick<HostProblem, "runner" | "kind" | "reason">): void;
  /** The CLI works again. */
  remove(runner: RunnerId): void;
};
