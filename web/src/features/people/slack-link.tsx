import { MessageSquareLock } from "lucide-react";
import { useState } from "react";
import { post } from "../../api/http.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { TEXTS } from "./slack-link-texts.ts";

/** Creates a code with which the person links their Slack account. */
export function SlackLink() {
  const text = useTexts(TEXTS);
  const [code, setCode] = useState<string>();
  const create = useAction(async () => {
    const created = await post("/api/people/me/slack-code");
    setCode(created.code);
  });
  const command = `/kuro link ${code ?? ""}`;
  return (
    <div className="flex basis-full flex-col items-start gap-2">
      {code !== undefined && (
        <div role="status" className="w-full">
          <p className="text-xs text-text-2">{text.note}</p>
          <p className="mt-1 flex items-center gap-2 rounded-lg border border-line bg-base py-1 pr-1 pl-3">
            <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{command}</code>
            <CopyButton text={command} />
          </p>
          <p className="mt-1 text-xs text-text-3">{text.expires}</p>
        </div>
      )}
      <Button
        icon={<MessageSquareLock size={14} aria-hidden />}
        onPress={() => void create.run()}
        isPending={create.isRunning}
      >
        {code === undefined ? text.link : text.again}
      </Button>
    </div>
  );
}
