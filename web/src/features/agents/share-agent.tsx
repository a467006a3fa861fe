import { defineTexts, useTexts } from "../../i18n/texts.ts";
import { asMcpCall } from "../../text/as-curl.ts";
import { ShareMenu } from "../../ui/share-menu.tsx";
import { type AgentDetail, isLive } from "./agent-data.ts";

const TEXTS = defineTexts({
  ja: {
    names: { stop: "停止", message: "メッセージ", status: "状態の確認" },
    message: "メッセージ",
  },
  en: { names: { stop: "“Stop”", message: "a message", status: "the status" }, message: "message" },
});

export function ShareAgent({ agent }: { readonly agent: AgentDetail }) {
  const { names, message } = useTexts(TEXTS);
  const { agentId, status } = agent;
  const path = `/api/agents/${agentId}`;
  return (
    <ShareMenu
      path={`/agents/${agentId}`}
      calls={(curl) => [
        ...(isLive(status)
          ? [
              {
                door: "curl" as const,
                id: "message",
                text: curl({ method: "POST", path: `${path}/message`, body: { text: message } }),
              },
              {
                door: "curl" as const,
                id: "stop",
                text: curl({ method: "POST", path: `${path}/cancel` }),
              },
              {
                door: "mcp" as const,
                id: "stop",
                text: asMcpCall("cancel_agent", { agentId }),
              },
            ]
          : []),
        { door: "mcp", id: "status", text: asMcpCall("get_agent_status", { agentId }) },
      ]}
      names={names}
      className="max-lg:min-h-10"
    />
  );
}
