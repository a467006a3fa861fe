import { aTempDir } from "../tmp-dir.ts";
import { pullRequestToolsIn } from "./tools-in.ts";

/** A `PATH` with git and stand-ins for these tools only, in a directory that goes with the test. */
export function pullRequestTools(...tools: readonly ("gh" | "glab")[]) {
  return pullRequestToolsIn(aTempDir(), tools);
}
