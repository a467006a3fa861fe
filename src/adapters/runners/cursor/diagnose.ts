import type { Diagnosis } from "../../../app/ports/runner.ts";

/** The CLI prints this as plain text instead of a stream, in some versions with exit code 0. */
const NO_TRUST = /workspace trust required/i;
const SIGNED_OUT =
  /not logged in|authentication required|agent login|invalid api key|unauthorized/i;

/** What Cursor prints when it refuses to run, on stdout or stderr. */
export function diagnoseCursor(text: string): Diagnosis | undefined {
  if (NO_TRUST.test(text)) {
    return {
      message:
        "Cursor does not trust the working directory. Update the Cursor CLI, or run `agent` there once and answer its question.",
      failure: { kind: "directory-not-trusted", resetsAt: null },
    };
  }
  if (SIGNED_OUT.test(text)) {
    return {
      message: "Cursor is not signed in. Run `agent login`, or set CURSOR_API_KEY.",
      failure: { kind: "signed-out", resetsAt: null },
    };
  }
  return undefined;
}
