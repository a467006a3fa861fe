import type { Core } from "../core.ts";
import type { HostProblems } from "../ports/host-problems.ts";

/** Those of the host of this core. Undefined: there is only one host, so its problems are for all. */
export function problemsHere({
  host,
  hostProblems,
}: Pick<Core, "host" | "hostProblems">): HostProblems | undefined {
  return host ? host.problems : hostProblems;
}
