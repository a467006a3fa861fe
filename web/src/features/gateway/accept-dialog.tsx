import { useQueryClient } from "@tanstack/react-query";
import type { WireGatewayServer } from "../../../../src/contract/shapes/gateway.ts";
import { post } from "../../api/http.ts";
import { useMe } from "../../api/use-me.ts";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { LineDiff } from "../../ui/line-diff.tsx";
import { useAction } from "../../ui/use-action.ts";
import { usePersonName } from "../people/use-person-name.ts";
import { TEXTS } from "./texts.ts";

export type GatewayTool = WireGatewayServer["tools"][number];

/** Compares the accepted definition with the current one. The request names the hash that was shown. */
export function AcceptDialog({
  server,
  tool,
  onClose,
}: {
  readonly server: string;
  readonly tool: GatewayTool;
  readonly onClose: () => void;
}) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const format = useFormat();
  const nameOf = usePersonName();
  const me = useMe();
  const queries = useQueryClient();
  const name = visibleName(`${server}/${tool.name}`);
  const accept = useAction(async () => {
    try {
      await post("/api/gateway/accept", { body: { server, tool: tool.name, hash: tool.hash } });
      onClose();
    } finally {
      await queries.invalidateQueries({ queryKey: ["gateway"] });
    }
  });
  const { accepted } = tool;
  const mayAccept = me?.role === "admin";
  return (
    <Dialog title={text.reviewTitle(name)} isOpen onClose={onClose} wide>
      <div className="flex flex-col gap-3">
        <p className="text-text-2">{text.reviewNote}</p>
        {accepted && (
          <p className="text-xs text-text-3">
            {text.before(nameOf(accepted.acceptedBy))} · {format.dateTime(accepted.at)}
          </p>
        )}
        <LineDiff
          before={accepted ? JSON.stringify(accepted.definition, null, 2) : ""}
          after={JSON.stringify(tool.definition, null, 2)}
          label={text.diff}
        />
        <p className="font-mono text-[11px] break-all text-text-3">sha256 {tool.hash}</p>
        {me && !mayAccept && <p className="text-timeout">{text.onlyAdmin}</p>}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button
            look="approve"
            onPress={() => void accept.run()}
            isDisabled={!mayAccept || !tool.isQuarantined}
            isPending={accept.isRunning}
          >
            {accept.isRunning ? text.accepting : text.accept}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
