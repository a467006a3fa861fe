import { join } from "node:path";

/** A folder for PATH with an `agent` that misbehaves in one way; see the script's first comment. */
export function brokenCli(
  kind:
    | "counts"
    | "fails"
    | "floods"
    | "garbage"
    | "hangs"
    | "leaves-child"
    | "models-fail"
    | "never-exits"
    | "no-interpreter"
    | "no-trust"
    | "says-error"
    | "takes-it-back",
): string {
  return join(import.meta.dirname, "bin-broken", kind);
}
