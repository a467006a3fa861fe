import { Trash2 } from "lucide-react";
import { useState } from "react";
import { post } from "../../../api/http.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { useAction } from "../../../ui/use-action.ts";
import type { Change } from "../change-data.ts";
import { CHANGES } from "../texts.ts";

export function Discard({ change }: { readonly change: Change }) {
  const words = useTexts(CHANGES).discard;
  const common = useTexts(COMMON);
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const discard = useAction(async () => {
    await post("/api/changes/{id}/discard", {
      params: { id: change.workspace.workspaceId },
      body: reason.trim() === "" ? {} : { reason: reason.trim() },
    });
    setOpen(false);
  });
  return (
    <>
      <Button look="reject" icon={<Trash2 size={14} aria-hidden />} onPress={() => setOpen(true)}>
        {words.button}
      </Button>
      <Dialog title={words.title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="flex flex-col gap-4">
          <p className="text-text-2">{words.body}</p>
          <Field label={words.reason} value={reason} onChange={setReason} rows={3} autoFocus />
          <div className="flex justify-end gap-2">
            <Button onPress={() => setOpen(false)}>{common.cancel}</Button>
            <Button look="danger" isPending={discard.isRunning} onPress={() => void discard.run()}>
              {words.go}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
