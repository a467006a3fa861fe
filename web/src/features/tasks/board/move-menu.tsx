import { Ban, Ellipsis, OctagonPause, Play, RotateCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { WireTask } from "../../../../../src/contract/shapes/tasks.ts";
import { visiblePreview } from "../../../../../src/contract/visible-text.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { type Change, changesOf } from "../columns.ts";
import { TASKS } from "../texts.ts";

export type MoveMenuProps = {
  readonly task: WireTask;
  readonly onChange: (change: Change) => void;
  readonly onOpen: () => void;
};

const icon = { size: 14, "aria-hidden": true } as const;
const ICONS: Record<Change, ReactNode> = {
  block: <OctagonPause {...icon} />,
  unblock: <Play {...icon} />,
  cancel: <Ban {...icon} />,
  retry: <RotateCcw {...icon} />,
};

/** All status changes, as an alternative to dragging. */
export function MoveMenu({ task, onChange, onOpen }: MoveMenuProps) {
  const text = useTexts(TASKS);
  const common = useTexts(COMMON);
  const name = visiblePreview(task.title ?? task.request.slice(0, 60));
  const column = { block: "blocked", unblock: "progress", retry: "progress" } as const;
  // Menus are expensive; mount one only when it is opened.
  const changes = useMayOperate() ? changesOf(task) : [];
  const [isWanted, setWanted] = useState(false);
  const button = (
    <IconButton
      label={text.moveOf(name)}
      size="small"
      className="shrink-0"
      aria-haspopup="menu"
      onPress={() => setWanted(true)}
    >
      <Ellipsis {...icon} />
    </IconButton>
  );
  if (!isWanted) return button;
  return (
    <Menu
      label={text.moveOf(name)}
      trigger={button}
      defaultOpen
      actions={[
        { id: "open", label: text.open, run: onOpen },
        ...changes.map((change) => ({
          id: change,
          label:
            change === "cancel"
              ? common.stop
              : `${text.move}: ${text.columns[column[change]]} (${common[change]})`,
          icon: ICONS[change],
          isDangerous: change === "cancel",
          run: () => onChange(change),
        })),
      ]}
    />
  );
}
