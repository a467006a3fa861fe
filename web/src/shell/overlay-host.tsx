import { useMayOperate } from "../api/use-me.ts";
import { NewTaskDialog } from "../features/tasks/new-task-dialog.tsx";
import { closeOverlay, useOverlay } from "../ui/overlays.ts";
import { HelpDialog } from "./help-dialog.tsx";
import { Palette } from "./palette.tsx";

/** Loaded on demand, with the first overlay. */
export function OverlayHost() {
  const overlay = useOverlay((state) => state.overlay);
  const mayOperate = useMayOperate();
  switch (overlay?.kind) {
    case "palette":
      return <Palette onClose={closeOverlay} />;
    case "help":
      return <HelpDialog onClose={closeOverlay} />;
    case "new-task":
      return (
        mayOperate && <NewTaskDialog initialText={overlay.text ?? ""} onClose={closeOverlay} />
      );
    case undefined:
      return null;
  }
}
