import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { AgentDetail } from "./agent-data.ts";
import { TEXTS } from "./texts.ts";

/** Agents can only be started over MCP, so this offers the call to copy. */
export function Rerun({ agent }: { readonly agent: AgentDetail }) {
  const text = useTexts(TEXTS).rerun;
  const { sessionId } = agent.progress;
  const call = (more: object = {}) => JSON.stringify(callFor(agent, more), null, 2);
  return (
    <Card aria-labelledby="rerun" className="p-4">
      <h2 id="rerun" className="mb-1 font-semibold">
        {text.title}
      </h2>
      <p className="mb-2 text-text-2">{text.body}</p>
      <div className="flex flex-col items-start gap-1">
        <CopyButton text={() => call()}>{text.copy}</CopyButton>
        {sessionId !== null && (
          <CopyButton text={() => call({ resumeAgentId: agent.agentId })}>{text.goOn}</CopyButton>
        )}
      </div>
    </Card>
  );
}

function callFor(agent: AgentDetail, more: object) {
  const { groupId, role, prompt, workingDirectory, timeout_ms } = agent;
  const timeout = timeout_ms !== null && { timeout_ms };
  return {
    tool: "run_agents",
    arguments: { groupId, agents: [{ role, prompt, workingDirectory, ...timeout, ...more }] },
  };
}
