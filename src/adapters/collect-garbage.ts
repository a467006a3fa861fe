import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A full collection. Only `last-resort` returns emptied pages to the system. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc: (options: Record<string, string>) => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  gc({ type: "major", flavor: "last-resort" });
}
