import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./daemon.ts";

/** A point where rehearsals wait until the test opens it. `waits` is the directive. */
export function aGate({ dir }: Pick<Place, "dir">, name = "gate") {
  const path = join(dir, name);
  return { waits: `wait-for ${path}`, open: () => writeFileSync(path, "") };
}
