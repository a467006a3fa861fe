import { OctagonX } from "lucide-react";
import { useState } from "react";
import { post } from "../../api/http.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useAction } from "../../ui/use-action.ts";
import type { AgentDetail } from "./agent-data.ts";
import { TEXTS } from "./texts.ts";

export function StopAgent({ agent }: { readonly agent: AgentDetail }) {
  const text = useTexts(TEXTS).stop;
  const common = useTexts(COMMON);
  const [isAsking, setAsking] = useState(false);
  const [isSent, setSent] = useState(false);
  const stop = useAction(async () => {
    await post("/api/agents/{id}/cancel", { params: { id: agent.agentId } });
    setSent(true);
    setAsking(false);
  });
  return (
    <>
      <Button
        look="reject"
        icon={<OctagonX size={14} aria-hidden />}
        onPress={() => setAsking(true)}
        isDisabled={isSent}
      >
        {isSent ? text.stopping : text.button}
      </Button>
      <Dialog title={text.title} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p className="mb-2 font-mono text-xs text-text-3">{agent.agentId}</p>
        <p className="text-text-2">{text.body}</p>
        {agent.role === "orchestrator" && <p className="mt-2 text-timeout">{text.orchestrator}</p>}
        <div className="mt-4 flex justify-end gap-2">
          <Button onPress={() => setAsking(false)}>{common.cancel}</Button>
          <Button look="danger" onPress={() => void stop.run()} isPending={stop.isRunning}>
            {text.go}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
