import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { WireTemplate } from "../../../../src/contract/shapes/templates.ts";
import { ApiProblem, remove } from "../../api/http.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { useAction } from "../../ui/use-action.ts";
import { TEXTS } from "./texts.ts";

/** A template that is saved in the database; files are deleted by hand. */
export function RemoveTemplate({ template: { id, source } }: { readonly template: WireTemplate }) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayOperate = useMayOperate();
  const [isAsking, setAsking] = useState(false);
  async function removeOnce(): Promise<string> {
    try {
      await remove("/api/templates/{id}", { params: { id } });
      return text.removed(id);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== "TEMPLATE_NOT_FOUND") throw error;
      return text.removedByOthers(id);
    }
  }
  const removal = useAction(async () => {
    toast({ kind: "info", title: await removeOnce() });
    await navigate({ to: "/templates" });
    await queries.invalidateQueries({ queryKey: ["templates"] });
  });
  if (source !== "saved" || !mayOperate) return null;
  return (
    <>
      <Button
        look="reject"
        icon={<Trash2 size={14} aria-hidden />}
        onPress={() => setAsking(true)}
        className="self-start"
      >
        {text.remove}
      </Button>
      <Dialog title={text.removeTitle(id)} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p className="mb-4 text-text-2">{text.removeBody}</p>
        <div className="flex justify-end gap-2">
          <Button onPress={() => setAsking(false)}>{common.cancel}</Button>
          <Button look="danger" onPress={() => void removal.run()} isPending={removal.isRunning}>
            {text.remove}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
