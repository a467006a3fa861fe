import type { Agent } from "../../domain/agents/agent.ts";
import type { Core } from "../core.ts";

type Reading = Pick<Core, "serverId" | "transcripts"> & {
  readonly store: Pick<Core["store"], "getAgent">;
  readonly supervisor: Pick<Core["supervisor"], "readTranscript" | "readOutputEnd">;
};
type Read = Pick<Agent, "id" | "attempt" | "workerId" | "reportedAt" | "process">;

/** Servers send the output of their agents every second, and once more when an agent has ended. */
const ON_ITS_WAY_MS = 1_500;
const LOOK_EVERY_MS = 150;

/**
 * Lines of an agent's output from a byte offset on, whichever server runs or ran it. The spool of this
 * server is the newest source; other servers read what the owner has stored in the database.
 */
export async function readTranscript(
  core: Reading,
  agent: Read,
  { offset, maxBytes }: { readonly offset: number; readonly maxBytes: number },
) {
  const { supervisor, transcripts } = core;
  const { id, attempt } = agent;
  const readSpool = () => supervisor.readTranscript(id, attempt, offset, maxBytes);
  if (!transcripts) return readSpool();
  const here = mayBeHere(core, agent) ? await readSpool() : undefined;
  if (here && here.size > 0) return here;
  const stored = await transcripts.read(id, attempt, offset, maxBytes);
  if (!isStopping(agent) || stored.nextOffset < stored.size) return stored;
  // Readers stop at the end of an agent that has reported, so they must get all of it.
  await untilEnded(core, agent);
  return transcripts.read(id, attempt, offset, maxBytes);
}

/** The last `maxBytes` of an agent's output, whichever server runs or ran it. */
export async function readOutputEnd(core: Reading, agent: Read, maxBytes: number): Promise<string> {
  const { supervisor, transcripts } = core;
  const { id, attempt } = agent;
  const readSpool = () => supervisor.readOutputEnd(id, attempt, maxBytes);
  if (!transcripts) return readSpool();
  const here = mayBeHere(core, agent) ? await readSpool() : "";
  return here === "" ? transcripts.readEnd(id, attempt, maxBytes) : here;
}

/** Agents of a moved installation belong to no server; one of them has their files. */
function mayBeHere({ serverId }: Reading, { workerId }: Read): boolean {
  return workerId === null || workerId === serverId;
}

/** It has reported, and its process has not ended yet. */
function isStopping({ reportedAt, process }: Read): boolean {
  return reportedAt !== null && process !== "ended";
}

async function untilEnded({ store }: Reading, { id }: Read): Promise<void> {
  for (let waitedMs = 0; waitedMs < ON_ITS_WAY_MS; waitedMs += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const agent = await store.getAgent(id);
    if (!agent || agent.process === "ended") return;
  }
}
