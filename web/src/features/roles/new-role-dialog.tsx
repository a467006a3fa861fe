import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/http.ts";
import { useModels, useRoles } from "../../api/system.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { AccessChoice } from "./access-choice.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { useModelOptions } from "./model-options.ts";
import { NEW_ROLE, useNewRole } from "./new-role.ts";
import { RunnerField } from "./runner-field.tsx";
import { ServerTags } from "./server-tags.tsx";
import { TEXTS } from "./texts.ts";

/** Everything but what few roles need, which is set on the role's page. */
export function NewRoleDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const role = useNewRole();
  const [isReviewing, setReviewing] = useState(false);
  if (isReviewing) {
    return (
      <ChangeDialog
        title={text.addTitle}
        change={`create ${JSON.stringify(role.body)}`}
        send={(hash, dryRun) =>
          post("/api/roles", { query: { dryRun: `${dryRun}` }, body: { ...role.body, ...hash } })
        }
        confirm={text.addSend}
        onClose={() => setReviewing(false)}
        onDone={() => {
          onClose();
          void navigate({ to: "/roles/$roleId", params: { roleId: role.body.id } });
        }}
      />
    );
  }
  return (
    <Dialog title={text.addTitle} isOpen onClose={onClose} wide>
      <div className="flex flex-col gap-4">
        <Fields role={role} />
        <Buttons
          missing={role.missing}
          onCancel={onClose}
          onNext={role.isReady ? () => setReviewing(true) : null}
        />
      </div>
    </Dialog>
  );
}

function Fields({ role }: { readonly role: ReturnType<typeof useNewRole> }) {
  const text = useTexts(TEXTS);
  const models = useModels();
  const options = useModelOptions(models.data?.models ?? []);
  const usual = useRoles().data?.roles[0]?.runner ?? "auto";
  const { values, set } = role;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={text.newId}
          value={values.id}
          onChange={(next) => set("id", next.trim())}
          help={text.newIdHelp}
          error={role.idError}
          isRequired
          autoFocus
          mono
        />
        <Field
          label={text.name}
          value={values.name}
          onChange={(next) => set("name", next)}
          isRequired
        />
      </div>
      <Field
        label={text.description}
        value={values.description}
        onChange={(next) => set("description", next)}
        help={text.descriptionHelp}
        isRequired
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <RunnerField
          configured={usual}
          value={values.runner ?? usual}
          isReadOnly={false}
          onChange={(next) => set("runner", next)}
        />
        <ComboBox
          label={text.model}
          value={values.model}
          onChange={(next) => set("model", next)}
          options={options}
          help={text.modelHelp}
          error={role.modelError}
        />
      </div>
      <Field
        label={text.systemPrompt}
        value={values.systemPrompt}
        onChange={(next) => set("systemPrompt", next)}
        rows={8}
        help={text.systemPromptHelp}
        isRequired
      />
      <AccessChoice value={values.access} onChange={(next) => set("access", next)} />
      <ServerTags
        value={values.mcpServers}
        isReadOnly={false}
        onChange={(next) => set("mcpServers", next)}
      />
    </>
  );
}

type ButtonsProps = {
  readonly missing: readonly string[];
  readonly onCancel: () => void;
  readonly onNext: (() => void) | null;
};

function Buttons({ missing, onCancel, onNext }: ButtonsProps) {
  const text = useTexts(TEXTS);
  const words = useTexts(NEW_ROLE);
  const common = useTexts(COMMON);
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <p role="status" className="mr-auto text-xs text-text-2">
        {missing.length > 0 && words.missing(common.list(missing))}
      </p>
      <Button onPress={onCancel}>{common.cancel}</Button>
      <Button look="violet" onPress={() => onNext?.()} isDisabled={!onNext}>
        {text.next}
      </Button>
    </div>
  );
}
