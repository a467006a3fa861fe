import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BookmarkPlus } from "lucide-react";
import { useState } from "react";
import { ApiProblem, post } from "../../api/http.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { toast } from "../../ui/toast.tsx";
import { useAction } from "../../ui/use-action.ts";
import { TEXTS } from "./texts.ts";

type SavedTask = {
  readonly taskId: string;
  readonly title: string | null;
  readonly endedAt: string | null;
};

/** Shown for a task that has ended. */
export function SaveAsTemplate({ task }: { readonly task: SavedTask }) {
  const text = useTexts(TEXTS);
  const mayOperate = useMayOperate();
  const [isOpen, setOpen] = useState(false);
  if (task.endedAt === null || !mayOperate) return null;
  return (
    <>
      <Button
        className="max-lg:min-h-10"
        icon={<BookmarkPlus size={14} aria-hidden />}
        onPress={() => setOpen(true)}
      >
        {text.save}
      </Button>
      {isOpen && <SaveDialog task={task} onClose={() => setOpen(false)} />}
    </>
  );
}

function SaveDialog({ task, onClose }: { readonly task: SavedTask; readonly onClose: () => void }) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState((task.title ?? "").slice(0, 80));
  const [id, setId] = useState("");
  const [exists, setExists] = useState(false);
  const save = useAction(async () => {
    try {
      const saved = await post("/api/templates", {
        body: {
          taskId: task.taskId,
          overwrite: exists,
          ...(id !== "" && { id }),
          ...(name.trim() && { name: name.trim() }),
        },
      });
      const { removedSecrets } = saved;
      toast({
        kind: "info",
        title: text.saved(saved.id),
        ...(removedSecrets > 0 && { detail: text.savedSecrets(removedSecrets) }),
      });
      await queries.invalidateQueries({ queryKey: ["templates"] });
      onClose();
      await navigate({ to: "/templates/$templateId", params: { templateId: saved.id } });
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== "TEMPLATE_EXISTS" || exists) throw error;
      setExists(true);
    }
  });
  const changeId = (next: string) => {
    setId(next.trim());
    setExists(false);
  };
  const isWrong = id !== "" && !/^[a-z0-9][a-z0-9-]{0,39}$/.test(id);
  return (
    <Dialog title={text.save} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-text-2">{text.saveNote}</p>
        <Field label={text.name} value={name} onChange={setName} autoFocus />
        <Field
          label={text.id}
          value={id}
          onChange={changeId}
          help={text.idHelp}
          error={isWrong ? text.idHelp : exists ? text.exists : undefined}
          mono
        />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button
            look={exists ? "danger" : "violet"}
            onPress={() => void save.run()}
            isPending={save.isRunning}
            isDisabled={isWrong}
          >
            {exists ? text.overwrite : text.saveSend}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
