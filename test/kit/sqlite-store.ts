import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/adapters/store/open-store.ts";
import type { Store } from "../../src/app/ports/store.ts";
import { aTempDir } from "./tmp-dir.ts";

const FILE = "kuromajutsu.db";
let migrated: Promise<Buffer> | undefined;

/** A new store. The migrations run once, and each store begins with a copy of their result. */
export async function aSqliteStore(): Promise<Store> {
  const dataDir = aTempDir();
  migrated ??= migrateOnce();
  writeFileSync(join(dataDir, FILE), await migrated, { mode: 0o600 });
  return openStore({ dataDir });
}

async function migrateOnce(): Promise<Buffer> {
  const dataDir = aTempDir();
  const store = await openStore({ dataDir });
  await store.close();
  return readFileSync(join(dataDir, FILE));
}
