import type { Core } from "../core.ts";
import type { Runner } from "../ports/runner.ts";

/** Names of the client's keys that this runner uses and that the daemon itself lacks. */
export function namesOfClientKeys(
  { environment }: Pick<Core, "environment">,
  { vendorVariables }: Pick<Runner, "vendorVariables">,
  names: readonly string[],
): string[] {
  return vendorVariables.filter((name) => names.includes(name) && !environment.has(name));
}
