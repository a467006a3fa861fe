import { type DropItem, DropZone, Text } from "react-aria-components";
import type { WireTask } from "../../../../../src/contract/shapes/tasks.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { type Change, COLUMNS, dropOn } from "../columns.ts";
import { TASKS } from "../texts.ts";
import { typeOf } from "./drag-types.ts";

export type PhoneDropsProps = {
  readonly dragged: WireTask;
  readonly onChange: (task: WireTask, change: Change) => void;
};

/** Drop targets for a phone, where only one column is visible. */
export function PhoneDrops({ dragged, onChange }: PhoneDropsProps) {
  const text = useTexts(TASKS);
  const words = { block: text.dropBlock, unblock: text.dropUnblock, retry: text.dropRetry };
  const changes = COLUMNS.flatMap((column) => {
    const change = dropOn(column, dragged.status);
    return change && change !== "cancel" ? [change] : [];
  });
  const drop = async (change: Change, items: readonly DropItem[]) => {
    for (const item of items) {
      if (item.kind !== "text") continue;
      const task: WireTask = JSON.parse(await item.getText(typeOf(dragged.status)));
      return onChange(task, change);
    }
  };
  return (
    <div className="fixed inset-x-0 bottom-[calc(53px+env(safe-area-inset-bottom))] z-40 flex gap-2 bg-base/90 p-3">
      {changes.length === 0 && <p className="p-3 text-text-3">{text.whyNot.done}</p>}
      {changes.map((change) => (
        <DropZone
          key={change}
          getDropOperation={(types) => (types.has(typeOf(dragged.status)) ? "move" : "cancel")}
          onDrop={({ items }) => void drop(change, items)}
          className="grid min-h-20 flex-1 place-items-center rounded-xl border-2 border-dashed border-violet bg-raised text-violet drop-target:bg-violet-solid/40"
        >
          <Text slot="label">{words[change]}</Text>
        </DropZone>
      ))}
    </div>
  );
}
