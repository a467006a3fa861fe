import { CircleCheck, GitMerge, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { MERGE_MODES } from "../../../../../src/contract/values.ts";
import { post } from "../../../api/http.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { RadioChoice } from "../../../ui/radio.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { useAction } from "../../../ui/use-action.ts";
import type { Change } from "../change-data.ts";
import { MERGES } from "../merge-texts.ts";

export function MergeButton({ change }: { readonly change: Change }) {
  const text = useTexts(MERGES);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look="approve"
        icon={<GitMerge size={14} aria-hidden />}
        onPress={() => setOpen(true)}
      >
        {text.button}
      </Button>
      {isOpen && <MergeDialog change={change} onClose={() => setOpen(false)} />}
    </>
  );
}

type MergeDialogProps = { readonly change: Change; readonly onClose: () => void };

function MergeDialog({ change, onClose }: MergeDialogProps) {
  const text = useTexts(MERGES);
  const common = useTexts(COMMON);
  const [target, setTarget] = useState(change.workspace.target ?? "");
  const [mode, setMode] = useState<(typeof MERGE_MODES)[number] | "configured">("configured");
  const [message, setMessage] = useState("");
  const [intoCheckout, setIntoCheckout] = useState(false);
  const ask = useAction(async () => {
    await post("/api/changes/{id}/merge", {
      params: { id: change.workspace.workspaceId },
      body: {
        version: change.version,
        ...(target.trim() && { target: target.trim() }),
        ...(mode !== "configured" && { mode }),
        ...(message.trim() && { message: message.trim() }),
        intoCheckout,
      },
    });
    onClose();
  });
  return (
    <Dialog title={text.title} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-text-2">{text.intro}</p>
        <Field label={text.target} value={target} onChange={setTarget} mono isRequired />
        <Preview change={change} target={target.trim()} />
        <RadioChoice
          label={text.mode}
          value={mode}
          onChange={setMode}
          options={[
            { id: "configured", ...text.asConfigured },
            ...MERGE_MODES.map((id) => ({ id, ...text.modes[id] })),
          ]}
        />
        <Field
          label={text.message}
          value={message}
          onChange={setMessage}
          rows={3}
          help={text.messageHelp}
        />
        <Switch
          label={text.checkout}
          note={text.checkoutNote}
          isOn={intoCheckout}
          onChange={setIntoCheckout}
        />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button
            look="violet"
            isPending={ask.isRunning}
            isDisabled={target.trim() === ""}
            onPress={() => void ask.run()}
          >
            {text.send}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Whether it would merge now. The daemon knows this only for the branch that the work began from. */
function Preview({ change, target }: { readonly change: Change; readonly target: string }) {
  const text = useTexts(MERGES);
  const { preview, overlaps } = change;
  return (
    <div className="flex flex-col gap-1 rounded-lg border border-line bg-base p-3">
      <p className="text-xs font-semibold text-text-3">{text.preview}</p>
      {preview === null ? (
        <p className="text-text-2">{text.noPreview}</p>
      ) : preview.target !== target ? (
        <p className="text-text-2">{text.otherTarget}</p>
      ) : preview.isClean ? (
        <p className="flex gap-2 text-success">
          <CircleCheck size={15} aria-hidden className="mt-0.5 shrink-0" />
          {text.clean(visibleName(preview.target))}
        </p>
      ) : (
        <>
          <p className="flex gap-2 text-timeout">
            <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
            {text.conflicts(visibleName(preview.target), preview.conflicts.length)}
          </p>
          <ul className="max-h-40 overflow-y-auto font-mono text-xs">
            {preview.conflicts.map(({ path, type }) => (
              <li key={path} className="break-all">
                {visibleName(path)} <span className="text-text-3">{visibleName(type)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {overlaps.length > 0 && <p className="text-text-2">{text.overlapping}</p>}
    </div>
  );
}
