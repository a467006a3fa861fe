import { useQuery, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { RoleSaved } from "../../../../src/contract/shapes/roles.ts";
import { ApiProblem } from "../../api/http.ts";
import { useRoles } from "../../api/system.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button, type ButtonLook } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { LineDiff } from "../../ui/line-diff.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { useAction } from "../../ui/use-action.ts";
import { TEXTS } from "./texts.ts";

export type SendChange = (
  hash: { readonly expectedHash?: string },
  dryRun: boolean,
) => Promise<RoleSaved>;

export type ChangeDialogProps = {
  readonly title: string;
  readonly note?: ReactNode;
  /** Part of the query key, so that each change has its own preview. */
  readonly change: string;
  readonly send: SendChange;
  readonly confirm: string;
  readonly look?: ButtonLook;
  readonly onClose: () => void;
  readonly onDone: (saved: RoleSaved) => void;
};

/** Shows the diff of the configuration file before saving; a file changed meanwhile is not overwritten. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { title, note, change, send, confirm, look = "violet", onClose, onDone } = props;
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const queries = useQueryClient();
  const roles = useRoles();
  const [hasMoved, setMoved] = useState(false);
  // A save changes the file and so its hash: meanwhile the dialog keeps what the person has seen.
  const [saving, setSaving] = useState<{ readonly hash: string | null } | null>(null);
  const hash = (saving ?? roles.data?.config)?.hash ?? null;
  const expected = hash === null ? {} : { expectedHash: hash };
  const preview = useQuery({
    queryKey: ["preview", change, hash],
    queryFn: () => send(expected, true),
    enabled: roles.isSuccess && saving === null,
    retry: false,
    gcTime: 0,
  });
  const apply = useAction(async () => {
    setSaving({ hash });
    try {
      const saved = await send(expected, false);
      await queries.invalidateQueries({ queryKey: ["config"] });
      onDone(saved);
    } catch (error) {
      const hasChanged = error instanceof ApiProblem && error.code === "CONFIG_CHANGED";
      if (hasChanged) await queries.invalidateQueries({ queryKey: ["config"] });
      setMoved(hasChanged);
      setSaving(null);
      if (!hasChanged) throw error;
    }
  });
  const yaml = preview.data?.yaml;
  return (
    <Dialog title={title} isOpen onClose={onClose} wide>
      <div className="flex flex-col gap-3">
        {note && <div className="text-text-2">{note}</div>}
        {hasMoved && (
          <p
            role="alert"
            className="flex gap-2 rounded-lg border border-timeout/50 bg-timeout/10 px-3 py-2"
          >
            <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-timeout" />
            {text.fileChanged}
          </p>
        )}
        {preview.isPending && <Loading />}
        {preview.isError && <ErrorNote error={preview.error} />}
        {preview.data && (
          <p className="text-xs text-text-3">
            {text.file}: <span className="font-mono break-all">{preview.data.path}</span>
            {preview.data.created && <span className="block text-text-2">{text.willCreate}</span>}
          </p>
        )}
        {yaml && yaml.before === yaml.after && <p>{text.nothing}</p>}
        {yaml && yaml.before !== yaml.after && (
          <LineDiff before={yaml.before} after={yaml.after} label={text.diff} />
        )}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button
            look={look}
            onPress={() => void apply.run()}
            isPending={apply.isRunning}
            isDisabled={!yaml || preview.isFetching}
          >
            {apply.isRunning ? text.saving : confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
