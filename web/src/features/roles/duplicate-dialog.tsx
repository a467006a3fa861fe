import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { post } from "../../api/http.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { useIdError } from "./new-role.ts";
import { useRoleWords } from "./role-words.ts";
import { TEXTS } from "./texts.ts";

export function DuplicateDialog({
  role,
  onClose,
}: {
  readonly role: RoleDetails;
  readonly onClose: () => void;
}) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const navigate = useNavigate();
  const shownName = useRoleWords()(role).name;
  const [newId, setNewId] = useState(`${role.id}-2`.slice(-40));
  const [name, setName] = useState(text.copyName(shownName));
  const [isReviewing, setReviewing] = useState(false);
  const idError = useIdError(newId);
  const title = text.duplicateTitle(shownName);
  if (isReviewing) {
    return (
      <ChangeDialog
        title={title}
        change={`duplicate ${role.id} ${newId} ${name}`}
        send={(hash, dryRun) =>
          post("/api/roles/{id}/duplicate", {
            params: { id: role.id },
            query: { dryRun: `${dryRun}` },
            body: { newId, name, ...hash },
          })
        }
        confirm={text.duplicateSend}
        onClose={() => setReviewing(false)}
        onDone={() => {
          onClose();
          void navigate({ to: "/roles/$roleId", params: { roleId: newId } });
        }}
      />
    );
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Field
          label={text.newId}
          value={newId}
          onChange={(next) => setNewId(next.trim())}
          help={text.newIdHelp}
          error={idError}
          isRequired
          autoFocus
          mono
        />
        <Field label={text.name} value={name} onChange={setName} isRequired />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button
            look="violet"
            onPress={() => setReviewing(true)}
            isDisabled={newId === "" || idError !== undefined || name.trim() === ""}
          >
            {text.next}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
