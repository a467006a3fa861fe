import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A full collection. `last-resort`: any other kind keeps the pages that it has emptied. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc: (options: Record<string, string>) => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  gc({ type: "major", flavor: "last-resort" });
}
