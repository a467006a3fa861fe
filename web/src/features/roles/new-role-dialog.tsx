import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/http.ts";
import { useModels } from "../../api/system.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { Button } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { errorsOf, isRoleId } from "./draft.ts";
import { useModelOptions } from "./model-options.ts";
import { TEXTS } from "./texts.ts";

/** The required fields; the rest is set on the role's page. */
export function NewRoleDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const models = useModels();
  const options = useModelOptions(models.data?.models ?? []);
  const [id, setId] = useState("");
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [model, setModel] = useState("");
  const [systemPrompt, setSystemPrompt] = useState("");
  const [isReviewing, setReviewing] = useState(false);
  const idError = useIdError(id);
  const fields = { name, description, model, systemPrompt };
  const errors = errorsOf({ model: model || "x" }, text.errors);
  const isReady =
    id !== "" && !idError && !errors.model && Object.values(fields).every((each) => each.trim());
  if (isReviewing) {
    return (
      <ChangeDialog
        title={text.addTitle}
        change={`create ${JSON.stringify({ id, ...fields })}`}
        send={(hash, dryRun) =>
          post("/api/roles", { query: { dryRun: `${dryRun}` }, body: { id, ...fields, ...hash } })
        }
        confirm={text.addSend}
        onClose={() => setReviewing(false)}
        onDone={() => {
          onClose();
          void navigate({ to: "/roles/$roleId", params: { roleId: id } });
        }}
      />
    );
  }
  return (
    <Dialog title={text.addTitle} isOpen onClose={onClose} wide>
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={text.newId}
            value={id}
            onChange={(next) => setId(next.trim())}
            help={text.newIdHelp}
            error={idError}
            isRequired
            autoFocus
            mono
          />
          <Field label={text.name} value={name} onChange={setName} isRequired />
        </div>
        <Field
          label={text.description}
          value={description}
          onChange={setDescription}
          help={text.descriptionHelp}
          isRequired
        />
        <ComboBox
          label={text.model}
          value={model}
          onChange={setModel}
          options={options}
          help={text.modelHelp}
          error={model === "" ? undefined : errors.model}
        />
        <Field
          label={text.systemPrompt}
          value={systemPrompt}
          onChange={setSystemPrompt}
          rows={8}
          help={text.systemPromptHelp}
          isRequired
        />
        <Buttons onCancel={onClose} onNext={isReady ? () => setReviewing(true) : null} />
      </div>
    </Dialog>
  );
}

function Buttons(props: { readonly onCancel: () => void; readonly onNext: (() => void) | null }) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  return (
    <div className="flex justify-end gap-2">
      <Button onPress={props.onCancel}>{common.cancel}</Button>
      <Button look="violet" onPress={() => props.onNext?.()} isDisabled={!props.onNext}>
        {text.next}
      </Button>
    </div>
  );
}

export function useIdError(id: string): string | undefined {
  const { errors } = useTexts(TEXTS);
  const isTaken = useLive(({ roles }) => roles.some((role) => role.id === id));
  if (id === "") return undefined;
  if (!isRoleId(id)) return errors.id;
  return isTaken ? errors.idTaken : undefined;
}
