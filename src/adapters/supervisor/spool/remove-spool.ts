import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** `<agentId>.<attempt>.<ending>`; a claim being taken also has a pid behind it. */
const SPOOL_NAME = /^(.+)\.\d+\.[a-z]+(?:\.\d+)?$/;

/** Whose files are there, each once. Names that are not of our making are nobody's. */
export async function listSpooled(directory: string): Promise<string[]> {
  const ids = (await readdir(directory)).flatMap((name) => SPOOL_NAME.exec(name)?.[1] ?? []);
  return [...new Set(ids)];
}

/**
 * One listing for all of them. Only names found in the directory are removed, so no id, whatever
 * it looks like, reaches a file outside.
 */
export async function removeSpool(directory: string, agentIds: readonly string[]): Promise<void> {
  if (agentIds.length === 0) return;
  const ids = new Set(agentIds);
  for (const name of await readdir(directory)) {
    const agentId = SPOOL_NAME.exec(name)?.[1];
    if (agentId !== undefined && ids.has(agentId)) await rm(join(directory, name), { force: true });
  }
}
