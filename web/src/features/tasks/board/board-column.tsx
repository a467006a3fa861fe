import { useNavigate } from "@tanstack/react-router";
import {
  Collection,
  type DropItem,
  GridList,
  GridListItem,
  GridListLoadMoreItem,
  ListLayout,
  useDragAndDrop,
  Virtualizer,
} from "react-aria-components";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import type { WireTask } from "../../../../../src/contract/shapes/tasks.ts";
import { visiblePreview } from "../../../../../src/contract/visible-text.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { cx } from "../../../ui/cx.ts";
import { type Change, type Column, dropOn, type TaskStatus } from "../columns.ts";
import { TASKS } from "../texts.ts";
import { typeOf } from "./drag-types.ts";
import { TaskCard } from "./task-card.tsx";

export type BoardItem = {
  readonly id: string;
  readonly task: WireTask;
  readonly approval: WireApproval | undefined;
};

export type BoardColumnProps = {
  readonly column: Column;
  readonly items: readonly BoardItem[];
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly dragged: WireTask | null;
  readonly onDrag: (task: WireTask | null) => void;
  readonly onChange: (task: WireTask, change: Change) => void;
};

const DROPPABLE: Partial<Record<Column, readonly TaskStatus[]>> = {
  progress: ["blocked", "failed"],
  blocked: ["in_progress"],
};

export function BoardColumn(props: BoardColumnProps) {
  const { column, items, isLoading, onMore, dragged, onDrag, onChange } = props;
  const text = useTexts(TASKS);
  const common = useTexts(COMMON);
  const navigate = useNavigate();
  const mayOperate = useMayOperate();
  const open = (taskId: string) => void navigate({ to: "/tasks/$taskId", params: { taskId } });
  const isHome = items.some(({ id }) => id === dragged?.taskId);
  const accepted = DROPPABLE[column]?.map(typeOf);
  const { dragAndDropHooks } = useDragAndDrop<BoardItem>({
    getItems: (_keys, moved) =>
      moved.map(({ task }) => ({
        "text/plain": task.title ?? task.taskId,
        [typeOf(task.status)]: JSON.stringify(task),
      })),
    onDragStart: ({ keys }) => onDrag(items.find(({ id }) => keys.has(id))?.task ?? null),
    onDragEnd: () => onDrag(null),
    ...(accepted && {
      acceptedDragTypes: accepted,
      getDropOperation: () => "move" as const,
      onRootDrop: ({ items: dropped }) => void take(dropped),
    }),
  });
  async function take(dropped: readonly DropItem[]): Promise<void> {
    for (const item of dropped) {
      if (item.kind !== "text") continue;
      const type = accepted?.find((known) => item.types.has(known));
      if (type === undefined) continue;
      const task: WireTask = JSON.parse(await item.getText(type));
      const change = dropOn(column, task.status);
      if (change) return onChange(task, change);
    }
  }
  return (
    <div className="relative min-h-0 flex-1">
      <Virtualizer
        layout={ListLayout}
        layoutOptions={{ estimatedRowSize: 112, gap: 8, padding: 8, loaderSize: 32 }}
      >
        <GridList
          // React Aria cannot switch dragging on and off.
          key={mayOperate ? "movable" : "fixed"}
          aria-label={text.columns[column]}
          {...(mayOperate && { dragAndDropHooks })}
          onAction={(key) => open(String(key))}
          renderEmptyState={() =>
            dragged === null && (
              <p className="px-3 py-6 text-center text-xs text-text-3">
                {isLoading ? common.loading : text.emptyColumn[column]}
              </p>
            )
          }
          className="h-full overflow-y-auto overscroll-contain outline-none drop-target:bg-violet-solid/15"
        >
          <Collection items={items} dependencies={[text, mayOperate]}>
            {(item) => (
              <GridListItem
                id={item.id}
                textValue={visiblePreview(item.task.title ?? item.task.request.slice(0, 80))}
                className="cursor-pointer rounded-lg border border-line bg-float shadow-[0_1px_3px_var(--color-shade)] outline-none hover:border-field focus-visible:outline-2 focus-visible:outline-violet dragging:opacity-40"
              >
                <TaskCard
                  task={item.task}
                  approval={item.approval}
                  onChange={(change) => onChange(item.task, change)}
                  onOpen={() => open(item.id)}
                />
              </GridListItem>
            )}
          </Collection>
          <GridListLoadMoreItem onLoadMore={onMore} isLoading={isLoading && items.length > 0}>
            <p className="text-center text-xs text-text-3">{common.loading}</p>
          </GridListLoadMoreItem>
        </GridList>
      </Virtualizer>
      {dragged && !isHome && <DropNote column={column} status={dragged.status} />}
    </div>
  );
}

/** During a drag, says what dropping here would do, or why it is not possible. */
function DropNote({ column, status }: { readonly column: Column; readonly status: TaskStatus }) {
  const text = useTexts(TASKS);
  const change = dropOn(column, status);
  const words = {
    block: text.dropBlock,
    unblock: text.dropUnblock,
    retry: text.dropRetry,
    cancel: "",
  };
  return (
    <p
      className={cx(
        "pointer-events-none absolute inset-1 z-10 grid place-items-center rounded-lg border border-dashed p-4 text-center font-semibold",
        change
          ? "border-violet bg-base/70 text-violet"
          : "border-line bg-base/85 text-xs font-normal text-text-3",
      )}
    >
      {change ? words[change] : text.whyNot[column]}
    </p>
  );
}
