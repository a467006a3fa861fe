import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, CopyPlus, Ellipsis, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { RoleDetails, RoleFields, RolesAnswer } from "../../../src/contract/shapes/roles.ts";
import { put, remove } from "../api/http.ts";
import { useRoles } from "../api/system.ts";
import { Availability } from "../features/roles/availability.tsx";
import { ChangeDialog, type SendChange } from "../features/roles/change-dialog.tsx";
import { errorsOf, FIELDS, useRoleDraft } from "../features/roles/draft.ts";
import { DuplicateDialog } from "../features/roles/duplicate-dialog.tsx";
import { LeaveGuard } from "../features/roles/leave-guard.tsx";
import { RoleForm } from "../features/roles/role-form.tsx";
import { useRoleWords } from "../features/roles/role-words.ts";
import { SaveBar } from "../features/roles/save-bar.tsx";
import { TEXTS } from "../features/roles/texts.ts";
import { useMayEdit } from "../features/roles/use-may-edit.ts";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { EmptyState, ErrorNote, Loading } from "../ui/notes.tsx";
import { CountBadge, PageHead } from "../ui/page-head.tsx";
import { toast } from "../ui/toast.tsx";

export function Page() {
  const text = useTexts(TEXTS);
  const { roleId = "" } = useParams({ strict: false });
  const roles = useRoles();
  const role = roles.data?.roles.find(({ id }) => id === roleId);
  return (
    <>
      <p className="mb-2">
        <Link to="/roles" className="inline-flex items-center gap-1 text-violet hover:underline">
          <ArrowLeft size={14} aria-hidden />
          {text.back}
        </Link>
      </p>
      {roles.isPending && <Loading />}
      {roles.isError && <ErrorNote error={roles.error} onRetry={() => void roles.refetch()} />}
      {roles.data && !role && (
        <>
          <PageHead title={roleId} />
          <EmptyState title={text.missing}>{text.missingNote}</EmptyState>
        </>
      )}
      {roles.data && role && <Editor key={role.id} role={role} answer={roles.data} />}
    </>
  );
}

type Open = "save" | "duplicate" | "delete" | "reset" | null;

function Editor({ role, answer }: { readonly role: RoleDetails; readonly answer: RolesAnswer }) {
  const text = useTexts(TEXTS);
  const draft = useRoleDraft(role);
  const { name } = useRoleWords()(role);
  const { mayEdit, why } = useMayEdit(answer);
  const [open, setOpen] = useState<Open>(null);
  const errors = errorsOf(draft.values, text.errors);
  const isReadOnly = !mayEdit;
  return (
    <>
      <PageHead
        title={name}
        note={why}
        badge={<CountBadge>{role.builtin ? text.builtin : text.own}</CountBadge>}
      >
        {mayEdit && <Actions role={role} onOpen={setOpen} />}
      </PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="min-w-0 max-lg:order-2">
          <RoleForm role={role} draft={draft} errors={errors} isReadOnly={isReadOnly} />
          {mayEdit && (
            <SaveBar
              role={role}
              config={answer.config}
              draft={draft}
              errors={errors}
              isPaused={open !== null}
              onReview={() => setOpen("save")}
            />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-20">
          <Availability
            role={role}
            onUseModel={mayEdit ? (model) => draft.set("model", model) : null}
          />
          {answer.config.path && (
            <p className="text-xs text-text-3">
              {text.file}: <span className="font-mono break-all">{answer.config.path}</span>
            </p>
          )}
        </div>
      </div>
      <Dialogs
        role={role}
        open={open}
        fields={draft.body}
        onClose={() => setOpen(null)}
        onSaved={draft.discard}
      />
      <LeaveGuard isDirty={draft.changed.length > 0} />
    </>
  );
}

function Actions({
  role,
  onOpen,
}: {
  readonly role: RoleDetails;
  readonly onOpen: (open: Open) => void;
}) {
  const text = useTexts(TEXTS);
  const icon = { size: 14, "aria-hidden": true } as const;
  return (
    <>
      <Button icon={<CopyPlus {...icon} />} onPress={() => onOpen("duplicate")}>
        {text.duplicate}
      </Button>
      <Menu
        label={text.more}
        trigger={<Button aria-label={text.more} icon={<Ellipsis {...icon} />} />}
        actions={[
          ...(role.builtin
            ? [
                {
                  id: "reset",
                  label: text.reset,
                  icon: <RotateCcw {...icon} />,
                  run: () => onOpen("reset"),
                },
              ]
            : []),
          {
            id: "delete",
            label: text.remove,
            icon: <Trash2 {...icon} />,
            isDangerous: true,
            run: () => onOpen("delete"),
          },
        ]}
      />
    </>
  );
}

function Dialogs({
  role,
  open,
  fields,
  onClose,
  onSaved,
}: {
  readonly role: RoleDetails;
  readonly open: Open;
  readonly fields: RoleFields;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const shownName = useRoleWords()(role).name;
  const params = { id: role.id };
  const change =
    (body: RoleFields): SendChange =>
    (hash, dryRun) =>
      put("/api/roles/{id}", {
        params,
        query: { dryRun: `${dryRun}` },
        body: { ...body, ...hash },
      });
  const saved = () => {
    onSaved();
    onClose();
    toast({ kind: "info", title: text.saved, detail: shownName });
  };
  switch (open) {
    case null:
      return null;
    case "duplicate":
      return <DuplicateDialog role={role} onClose={onClose} />;
    case "save":
      return (
        <ChangeDialog
          title={text.saveTitle}
          change={`update ${role.id} ${JSON.stringify(fields)}`}
          send={change(fields)}
          confirm={text.saveTitle}
          onClose={onClose}
          onDone={saved}
        />
      );
    case "reset":
      return (
        <ChangeDialog
          title={text.resetTitle(shownName)}
          change={`reset ${role.id}`}
          send={change(Object.fromEntries(FIELDS.map((name) => [name, null])))}
          confirm={text.resetSend}
          onClose={onClose}
          onDone={saved}
        />
      );
    case "delete":
      return (
        <ChangeDialog
          title={text.removeTitle(shownName)}
          note={role.builtin ? text.removeBuiltin : text.removeOwn}
          change={`delete ${role.id}`}
          send={(hash, dryRun) =>
            remove("/api/roles/{id}", { params, query: { dryRun: `${dryRun}`, ...hash } })
          }
          confirm={text.removeSend}
          look="danger"
          onClose={onClose}
          onDone={() => void navigate({ to: "/roles" })}
        />
      );
  }
}
