import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { WireWorker } from "../../../../src/contract/shapes/worker.ts";
import { remove } from "../../api/http.ts";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useAction } from "../../ui/use-action.ts";
import { TEXTS } from "./texts.ts";
import { WORKERS_KEY } from "./use-workers.ts";

export type RevokeWorkerProps = {
  readonly worker: WireWorker;
  /** Its row is gone, and with it the button that had the focus. */
  readonly onRevoked: () => void;
};

export function RevokeWorker({ worker, onRevoked }: RevokeWorkerProps) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const format = useFormat();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { name, agents } = worker;
  const revoke = useAction(async () => {
    await remove("/api/workers/{name}", { params: { name } });
    setAsking(false);
    await queries.invalidateQueries({ queryKey: WORKERS_KEY });
    onRevoked();
  });
  return (
    <>
      <Button
        look="ghost"
        size="small"
        aria-label={text.revokeOf(name)}
        icon={<Trash2 size={14} aria-hidden />}
        onPress={() => setAsking(true)}
      >
        <span className="max-lg:hidden">{text.revoke}</span>
      </Button>
      <Dialog title={text.revokeTitle(name)} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p className={agents > 0 ? "font-semibold text-failed" : "text-text-2"}>
          {agents > 0 ? text.revokeAgents(format.number(agents)) : text.revokeNoAgents}
        </p>
        <p className="mt-2 text-text-2">{text.revokeBody}</p>
        <div className="mt-4 flex justify-end gap-2">
          <Button onPress={() => setAsking(false)}>{common.cancel}</Button>
          <Button look="danger" onPress={() => void revoke.run()} isPending={revoke.isRunning}>
            {text.revoke}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
