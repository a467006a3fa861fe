import type { Diagnosis } from "../../../app/ports/runner.ts";
import { RUNNER_FAILURE_TEXTS } from "../../../contract/runner-failure-texts.ts";

const TEXTS = RUNNER_FAILURE_TEXTS.cursor;

/** The CLI prints this as plain text instead of a stream, in some versions with exit code 0. */
const NO_TRUST = /workspace trust required/i;
const SIGNED_OUT =
  /not logged in|authentication required|agent login|invalid api key|unauthorized/i;

/** What Cursor prints when it refuses to run, on stdout or stderr. */
export function diagnoseCursor(text: string): Diagnosis | undefined {
  if (NO_TRUST.test(text)) {
    return {
      message: TEXTS["directory-not-trusted"].en,
      failure: { kind: "directory-not-trusted", resetsAt: null },
    };
  }
  if (SIGNED_OUT.test(text)) {
    return {
      message: TEXTS["signed-out"].en,
      failure: { kind: "signed-out", resetsAt: null },
    };
  }
  return undefined;
}
