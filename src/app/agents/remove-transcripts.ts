import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";

/** Deletes what settled agents have written: here, and what is stored of it for other servers. */
export async function removeTranscripts(
  { supervisor, transcripts }: Pick<Core, "supervisor" | "transcripts">,
  agentIds: readonly AgentId[],
): Promise<void> {
  // First the files: while they are there, their output may still be sent.
  await supervisor.removeSpool(agentIds);
  await transcripts?.remove(agentIds);
}
