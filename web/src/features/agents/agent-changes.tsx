import { Changes } from "./changes.tsx";
import { useTranscript } from "./transcript/transcript.ts";

export type AgentChangesProps = {
  readonly agentId: string;
  readonly isLive: boolean;
  /** The file to show first. */
  readonly focus?: string | undefined;
};

/** The changes of one agent outside its own page; reads its transcript. */
export function AgentChanges({ agentId, isLive, focus }: AgentChangesProps) {
  const { state } = useTranscript(agentId, isLive);
  return <Changes agentId={agentId} state={state} focus={focus} />;
}
