import { useBlocker } from "@tanstack/react-router";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TEXTS } from "./texts.ts";

/** Asks before unsaved changes are left behind. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const text = useTexts(TEXTS);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Dialog title={text.leaveTitle} isOpen onClose={blocker.reset}>
      <p className="mb-4 text-text-2">{text.leaveNote}</p>
      <div className="flex justify-end gap-2">
        <Button onPress={blocker.reset}>{text.stay}</Button>
        <Button look="danger" onPress={blocker.proceed}>
          {text.leave}
        </Button>
      </div>
    </Dialog>
  );
}
