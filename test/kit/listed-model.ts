import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FAKE_CLIS, type Place } from "./daemon.ts";

/** A role of the configuration with a model of its own. */
export const roleWith = (id: string, model: string) => ({
  id,
  name: id,
  model,
  description: id,
  systemPrompt: id,
});

/** A Cursor CLI that lists this model only. */
export function withModel(place: Place, model: string): Place {
  const bin = join(place.dir, "bin");
  mkdirSync(bin);
  const fake = join(FAKE_CLIS, "agent");
  writeFileSync(
    join(bin, "agent"),
    `#!/bin/sh\n[ "$1" != models ] || { echo '${model} - Model'; exit 0; }\nexec '${fake}' "$@"\n`,
    { mode: 0o755 },
  );
  return { ...place, env: { ...place.env, PATH: `${bin}:${place.env["PATH"]}` } };
}
