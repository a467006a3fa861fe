import { Link } from "@tanstack/react-router";
import { CornerDownRight } from "lucide-react";
import { memo } from "react";
import type { WireGroup } from "../../../../src/contract/shapes/groups.ts";
import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";
import { ProgressRing } from "../../charts/ring.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useGroupProgress, useSection } from "../../live/sections.ts";
import { cx } from "../../ui/cx.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import { useFirstRole, useGroupTitle } from "./group-title.ts";
import { TEXTS } from "./list-texts.ts";
import { MODE_ICON } from "./overview/group-head.tsx";

export type GroupRowProps = {
  readonly group: WireGroup;
  /** The task that the group works for. */
  readonly task: WireTask | undefined;
};

export const GroupRow = memo(function GroupRow({ group, task }: GroupRowProps) {
  const text = useTexts(TEXTS);
  const title = useGroupTitle(group, task, useFirstRole(group.groupId));
  const { groupMode } = useTexts(COMMON);
  const { done, total } = useGroupProgress(group.groupId);
  return (
    <div className={cx("pb-2", group.parentGroupId && "pl-4 sm:pl-6")}>
      <div className="relative flex items-center gap-3 max-sm:flex-wrap max-sm:gap-y-2 rounded-xl border border-line bg-surface px-3 py-2.5 hover:border-field focus-within:border-violet">
        <ProgressRing done={done} total={total} label={text.progress(done, total)}>
          {MODE_ICON[group.mode]}
        </ProgressRing>
        <div className="min-w-0 flex-1 max-sm:basis-[70%]">
          <h2 className="flex min-w-0 items-center gap-1.5 font-semibold">
            {group.parentGroupId && (
              <CornerDownRight
                size={14}
                role="img"
                aria-label={text.child}
                className="shrink-0 text-text-3"
              />
            )}
            <Link
              to="/groups/$groupId"
              params={{ groupId: group.groupId }}
              className="truncate leading-[24px] outline-none after:absolute after:inset-0"
            >
              <bdi>{title}</bdi>
            </Link>
          </h2>
          <p className="flex flex-wrap gap-x-2 text-xs text-text-3">
            {task ? (
              <Link
                to="/tasks/$taskId"
                params={{ taskId: task.taskId }}
                className="relative z-10 -mb-1 inline-flex min-h-[24px] min-w-[24px] items-center text-violet hover:underline"
              >
                {text.ofTask}
              </Link>
            ) : (
              <span className="text-bone">{groupMode[group.mode]}</span>
            )}
            <span className="font-mono">{group.groupId}</span>
            {total > 0 && <span className="font-mono text-text-2">{text.done(done, total)}</span>}
          </p>
        </div>
        <RowBadges group={group} isOfTask={task !== undefined} />
        <Ago at={group.createdAt} className="hidden w-16 text-right text-xs text-text-3 sm:block" />
      </div>
    </div>
  );
});

function RowBadges({ group, isOfTask }: { readonly group: WireGroup; readonly isOfTask: boolean }) {
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const section = useSection(group.groupId);
  return (
    <span className="flex flex-wrap justify-end gap-1.5 max-sm:w-full max-sm:justify-start max-sm:pl-12 max-sm:empty:hidden">
      {section && section.broken > 0 && (
        <StatusBadge status="failed" label={`${agentStatus.failed} ${section.broken}`} />
      )}
      {section && section.counts.running > 0 && (
        <StatusBadge status="running" label={`${agentStatus.running} ${section.counts.running}`} />
      )}
      {section && section.counts.queued > 0 && (
        <StatusBadge status="queued" label={`${agentStatus.queued} ${section.counts.queued}`} />
      )}
      {section && section.total > 0 && section.live === 0 && section.broken === 0 && (
        <StatusBadge
          status={section.counts.cancelled === section.total ? "cancelled" : "completed"}
          label={
            section.counts.cancelled === section.total
              ? agentStatus.cancelled
              : agentStatus.completed
          }
        />
      )}
      {group.deletedAt && !isOfTask && <StatusBadge status="cancelled" label={text.deleted} />}
      {group.deletedAt && isOfTask && !section && (
        <StatusBadge status="cancelled" label={text.finished} />
      )}
    </span>
  );
}
