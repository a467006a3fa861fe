import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TEXTS } from "./texts.ts";

export type ConfirmTryProps = {
  readonly runner: string;
  readonly isRunning: boolean;
  readonly onStart: () => void;
  readonly onClose: () => void;
};

/** Confirms a task that may cost money. */
export function ConfirmTry({ runner, isRunning, onStart, onClose }: ConfirmTryProps) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  return (
    <Dialog title={text.confirmTitle} isOpen onClose={onClose}>
      <p className="mb-1 font-semibold">{text.tryText}</p>
      <p className="mb-4 text-text-2">{text.tryReal(runner)}</p>
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button look="violet" onPress={onStart} isPending={isRunning}>
          {isRunning ? text.trying : text.confirm}
        </Button>
      </div>
    </Dialog>
  );
}
