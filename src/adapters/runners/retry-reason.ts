import type { Diagnosis } from "../../app/ports/runner.ts";
import { CLI_SAID } from "../../contract/runner-failure-texts.ts";
import type { RunnerEvent } from "../../domain/agents/runner.ts";

type Reason = Omit<Extract<RunnerEvent, { type: "retry" }>, "type">;

/**
 * An agent may be ended because of its retries, with the reason of the last. Retries do not help a
 * CLI that is not signed in, so its reason says what does.
 */
export function retryReason(said: string, found: Diagnosis | undefined): Reason {
  if (!found) return { reason: said };
  const { message, failure } = found;
  const reason = failure.kind === "signed-out" ? `${message}${CLI_SAID.en}${said}` : said;
  return { reason, failure };
}
