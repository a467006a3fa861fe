import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConfigFile } from "../../src/adapters/config/edit-config.ts";
import { loadConfig } from "../../src/adapters/config/load-config.ts";
import type { LiveEvent } from "../../src/app/live.ts";
import { createRoleEditing } from "../../src/app/roles/role-editing.ts";
import type { Role, RoleTool } from "../../src/domain/roles/role.ts";
import { aCore, type TestCore } from "./core.ts";
import { aTempDir } from "./tmp-dir.ts";

export type RoleCore = TestCore & {
  readonly path: string;
  readonly published: LiveEvent[];
  text(): string;
  /** Changes the file, as a person with an editor does. */
  write(text: string): void;
};

/** A core whose roles come from a real file, as in a daemon. Without a text there is no file. */
export async function aRoleCore(text?: string): Promise<RoleCore> {
  const folder = aTempDir();
  const path = join(folder, "kuromajutsu.config.yaml");
  if (text !== undefined) writeFileSync(path, text);

  const base = await aCore();
  const roles = new Map<string, Role>();
  const roleTools = new Map<string, RoleTool>();
  const published: LiveEvent[] = [];
  base.live.subscribe((event) => published.push(event));
  let hash = "";
  async function reload(): Promise<void> {
    const env = { KUROMAJUTSU_DATA_DIR: folder };
    const loaded = await loadConfig({ path, explicit: false, env });
    roles.clear();
    roleTools.clear();
    for (const role of loaded.roles) roles.set(role.id, role);
    for (const tool of loaded.tools) roleTools.set(tool.id, tool);
    hash = loaded.hash;
  }
  await reload();
  return {
    ...base,
    roles,
    roleTools,
    editing: createRoleEditing({
      configFile: createConfigFile({ path }),
      loadedHash: () => hash,
      reload,
    }),
    path,
    published,
    text: () => readFileSync(path, "utf8"),
    write: (next) => writeFileSync(path, next),
  };
}
