import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { AgentDetail } from "./agent-data.ts";
import { TEXTS } from "./texts.ts";

/** Agents can only be started over MCP, so this offers the call to copy. */
export function Rerun({ agent }: { readonly agent: AgentDetail }) {
  const text = useTexts(TEXTS).rerun;
  const call = () =>
    JSON.stringify(
      {
        tool: "run_agents",
        arguments: {
          groupId: agent.groupId,
          agents: [
            {
              role: agent.role,
              prompt: agent.prompt,
              workingDirectory: agent.workingDirectory,
              ...(agent.timeout_ms !== null && { timeout_ms: agent.timeout_ms }),
            },
          ],
        },
      },
      null,
      2,
    );
  return (
    <Card aria-labelledby="rerun" className="p-4">
      <h2 id="rerun" className="mb-1 font-semibold">
        {text.title}
      </h2>
      <p className="mb-2 text-text-2">{text.body}</p>
      <CopyButton text={call}>{text.copy}</CopyButton>
    </Card>
  );
}
