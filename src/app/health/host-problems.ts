import type { RunnerId } from "../../domain/agents/runner.ts";
import { hostProblemAt, isOpen, type HostProblem } from "../../domain/health/host-problem.ts";
import type { HostProblems } from "../ports/host-problems.ts";
import type { Clock } from "../ports/world.ts";

/** In memory: after a restart or a new connection the host is tried again. */
export function createHostProblems(
  clock: Clock,
  onChanged: (problems: readonly HostProblem[]) => void = () => {},
): HostProblems {
  const known = new Map<RunnerId, HostProblem>();
  const all = (): readonly HostProblem[] =>
    [...known.values()].filter((problem) => isOpen(problem, clock.now()));
  return {
    find: (runner) => all().find((problem) => problem.runner === runner),
    all,
    add(seen) {
      known.set(seen.runner, hostProblemAt(clock.now(), seen));
      onChanged(all());
    },
    remove(runner) {
      if (known.delete(runner)) onChanged(all());
    },
  };
}
