import type { Agent } from "../../domain/agents/agent.ts";
import type { Core } from "../core.ts";

type Reading = Pick<Core, "serverId" | "supervisor" | "transcripts">;
type Read = Pick<Agent, "id" | "attempt" | "workerId">;

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
  return here && here.size > 0 ? here : transcripts.read(id, attempt, offset, maxBytes);
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
