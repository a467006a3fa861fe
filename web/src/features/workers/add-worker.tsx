import { useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type AnswerOf, post } from "../../api/http.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { isWorkerName, labelsError, labelsIn } from "./new-worker.ts";
import { TEXTS } from "./texts.ts";
import { TokenSteps } from "./token-steps.tsx";
import { WORKERS_KEY } from "./use-workers.ts";

type Added = AnswerOf<"post", "/api/workers"> & { readonly labels: readonly string[] };

export function AddWorker() {
  const text = useTexts(TEXTS);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="violet" icon={<Plus size={15} aria-hidden />} onPress={() => setOpen(true)}>
        {text.add}
      </Button>
      {isOpen && <AddDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(TEXTS);
  const [added, setAdded] = useState<Added>();
  return (
    <Dialog
      title={added ? text.added(added.name) : text.addTitle}
      isOpen
      onClose={onClose}
      staysOpen={added !== undefined}
      wide={added !== undefined}
    >
      {added ? (
        <TokenSteps {...added} onDone={onClose} />
      ) : (
        <AddForm onAdded={setAdded} onClose={onClose} />
      )}
    </Dialog>
  );
}

function AddForm({
  onAdded,
  onClose,
}: {
  readonly onAdded: (added: Added) => void;
  readonly onClose: () => void;
}) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [typed, setTyped] = useState("");
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const labels = labelsIn(typed);
  const wrong = labelsError(labels);
  const isReady = isWorkerName(name) && wrong === undefined && !isSending;
  async function send(): Promise<void> {
    if (!isReady) return;
    setSending(true);
    setError(undefined);
    try {
      const body = { name, ...(labels.length > 0 && { labels: [...labels] }) };
      onAdded({ ...(await post("/api/workers", { body })), labels });
    } catch (refused) {
      setError(refused);
      setSending(false);
    }
    await queries.invalidateQueries({ queryKey: WORKERS_KEY });
  }
  return (
    <div className="flex flex-col gap-4">
      {error !== undefined && <ErrorNote error={error} />}
      <Field
        label={text.name}
        value={name}
        onChange={(next) => setName(next.trim())}
        help={text.nameHelp}
        error={name === "" || isWorkerName(name) ? undefined : text.nameError}
        onSubmit={() => void send()}
        isRequired
        autoFocus
        mono
      />
      <Field
        label={text.labelsField}
        value={typed}
        onChange={setTyped}
        help={text.labelsHelp}
        error={wrong && (wrong.kind === "bad" ? text.labelError(wrong.label) : text.labelsMany)}
        onSubmit={() => void send()}
        mono
      />
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button
          look="violet"
          onPress={() => void send()}
          isDisabled={!isReady}
          isPending={isSending}
        >
          {text.addGo}
        </Button>
      </div>
    </div>
  );
}
