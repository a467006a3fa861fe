import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptKey } from "../../../app/ports/transcripts.ts";
import { isAgentId } from "../../../domain/ids.ts";

/** `<agentId>.<attempt>.<ending>`; the temporary file of a claim also has a pid at its end. */
const SPOOL_NAME = /^(.+)\.\d+\.[a-z]+(?:\.\d+)?$/;

/** Ids of the agents that have files in the spool. Names of another form are ignored. */
export async function listSpooled(directory: string): Promise<string[]> {
  const ids = (await readdir(directory)).flatMap((name) => SPOOL_NAME.exec(name)?.[1] ?? []);
  return [...new Set(ids)];
}

/** The attempts that have a file for their output. */
export async function listAttempts(directory: string): Promise<readonly AttemptKey[]> {
  return (await readdir(directory)).flatMap((name) => {
    const [, agentId = "", attempt] = /^(.+)\.(\d+)\.out$/.exec(name) ?? [];
    return isAgentId(agentId) ? [{ agentId, attempt: Number(attempt) }] : [];
  });
}

/**
 * Lists the directory once for all agents. Only names found in the directory are removed, so no id
 * can reach a file outside.
 */
export async function removeSpool(directory: string, agentIds: readonly string[]): Promise<void> {
  if (agentIds.length === 0) return;
  const ids = new Set(agentIds);
  for (const name of await readdir(directory)) {
    const agentId = SPOOL_NAME.exec(name)?.[1];
    if (agentId === undefined || !ids.has(agentId)) continue;
    await rm(join(directory, name), { force: true, recursive: true });
  }
}
