import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { type AnswerOf, post } from "../../../api/http.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { useAction } from "../../../ui/use-action.ts";
import type { Change } from "../change-data.ts";
import { CHANGES } from "../texts.ts";

/** Gives the draft comments and a message to the agent, which works on. */
export function SendBack({ change }: { readonly change: Change }) {
  const words = useTexts(CHANGES).sendBack;
  const common = useTexts(COMMON);
  const [isOpen, setOpen] = useState(false);
  const [message, setMessage] = useState("");
  const [sent, setSent] = useState<AnswerOf<"post", "/api/changes/{id}/send-back"> | null>(null);
  const count = change.comments.filter(({ status }) => status === "draft").length;
  const isReady = count > 0 || message.trim() !== "";
  const send = useAction(async () => {
    const answer = await post("/api/changes/{id}/send-back", {
      params: { id: change.workspace.workspaceId },
      body: { version: change.version, ...(message.trim() && { message: message.trim() }) },
    });
    setMessage("");
    setSent(answer);
  });
  const close = () => {
    setOpen(false);
    setSent(null);
  };
  return (
    <>
      <Button icon={<Undo2 size={14} aria-hidden />} onPress={() => setOpen(true)}>
        {words.button(count)}
      </Button>
      <Dialog title={sent ? words.done : words.title} isOpen={isOpen} onClose={close}>
        {sent ? (
          <div className="flex flex-col gap-3">
            {!sent.continuesConversation && <p className="text-text-2">{words.fresh}</p>}
            <Link
              to="/agents/$agentId"
              params={{ agentId: sent.agentId }}
              className="text-violet hover:underline"
              onClick={close}
            >
              {words.see} <span className="font-mono text-xs">{sent.agentId}</span>
            </Link>
            <div className="flex justify-end">
              <Button autoFocus onPress={close}>
                {common.close}
              </Button>
            </div>
          </div>
        ) : (
          <div className="flex flex-col gap-4">
            <p className="text-text-2">{words.body(count)}</p>
            <Field
              label={count > 0 ? words.optional : words.message}
              value={message}
              onChange={setMessage}
              rows={4}
              isRequired={count === 0}
              autoFocus
              onSubmit={() => isReady && void send.run()}
            />
            <div className="flex justify-end gap-2">
              <Button onPress={close}>{common.cancel}</Button>
              <Button
                look="violet"
                isDisabled={!isReady}
                isPending={send.isRunning}
                onPress={() => void send.run()}
              >
                {words.send}
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </>
  );
}
