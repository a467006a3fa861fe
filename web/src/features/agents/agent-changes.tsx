import { Changes } from "./changes.tsx";
import { useTranscript } from "./transcript/transcript.ts";

export type AgentChangesProps = {
  readonly agentId: string;
  readonly isLive: boolean;
  /** The file to show first. */
  readonly focus?: string | undefined;
};

/** What one agent changed, wherever it is shown: its transcript is read for it. */
export function AgentChanges({ agentId, isLive, focus }: AgentChangesProps) {
  const { state } = useTranscript(agentId, isLive);
  return <Changes agentId={agentId} state={state} focus={focus} />;
}
