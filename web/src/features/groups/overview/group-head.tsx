import { Link } from "@tanstack/react-router";
import { ChevronDown, CornerDownRight, ListOrdered, Orbit, Waypoints } from "lucide-react";
import type { WireGroup } from "../../../../../src/contract/shapes/groups.ts";
import { ProgressRing } from "../../../charts/ring.tsx";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { type Section, useGroupProgress, useSection } from "../../../live/sections.ts";
import { useLive } from "../../../live/store.ts";
import { tasksByGroup, useTaskOfGroup } from "../../../live/tasks-by-group.ts";
import { cx } from "../../../ui/cx.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { RehearsalMark } from "../../agents/rehearsal-mark.tsx";
import { useFirstRole, useGroupTitle } from "../group-title.ts";
import { taskOf } from "../task-of-group.ts";
import { GroupCost } from "./group-cost.tsx";
import { TEXTS } from "./texts.ts";

const icon = { size: 15, "aria-hidden": true } as const;
export const MODE_ICON = {
  concurrent: <Waypoints {...icon} />,
  sequential: <ListOrdered {...icon} />,
  magentic: <Orbit {...icon} />,
} as const;

/** The response for a group contains all its agents, so don't load it for large groups. */
const FEW = 100;

const NO_GROUP = { groupId: "", description: "" };

export type GroupHeadProps = {
  readonly groupId: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

export function GroupHead({ groupId, isOpen, onToggle }: GroupHeadProps) {
  const text = useTexts(TEXTS);
  const { groupMode } = useTexts(COMMON);
  const group = useLive((state) => state.groups.get(groupId));
  const section = useSection(groupId);
  const task = useTaskOfGroup(groupId);
  const { done, total } = useGroupProgress(groupId);
  const title = useHeadTitle(group);
  return (
    <div
      className={cx(
        "relative flex items-center gap-3 border border-line max-sm:flex-wrap bg-surface pt-2.5 pr-2 pl-3 hover:bg-raised/60",
        isOpen ? "rounded-t-xl border-b-0 pb-1" : "rounded-xl pb-2.5",
      )}
    >
      {group?.parentGroupId && (
        <CornerDownRight
          size={15}
          role="img"
          aria-label={text.child}
          className="-mr-1 shrink-0 text-text-3"
        />
      )}
      <ProgressRing done={done} total={total} label={text.progress(done, total)}>
        {MODE_ICON[group?.mode ?? "concurrent"]}
      </ProgressRing>
      <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-7rem)]">
        <h3 className="truncate font-semibold">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onToggle}
            className="min-h-[24px] max-w-full truncate text-left outline-none after:absolute after:inset-0 focus-visible:after:rounded-xl focus-visible:after:outline-2 focus-visible:after:outline-violet"
          >
            <bdi>{title}</bdi>
          </button>
        </h3>
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-text-3">
          {group && <span className="text-bone">{groupMode[group.mode]}</span>}
          {section?.isRehearsal && <RehearsalMark />}
          {group && (
            <Link
              to="/groups/$groupId"
              params={{ groupId }}
              className="relative z-10 inline-flex min-h-[24px] items-center font-mono hover:text-violet hover:underline"
            >
              {groupId}
            </Link>
          )}
          {task && (
            <Link
              to="/tasks/$taskId"
              params={{ taskId: task.taskId }}
              className="relative z-10 inline-flex min-h-[24px] min-w-[24px] items-center text-violet hover:underline"
            >
              {text.task}
            </Link>
          )}
          <span className="font-mono text-text-2">{text.done(done, total)}</span>
          {group && isOpen && total <= FEW && <GroupCost groupId={groupId} />}
        </p>
      </div>
      <Badges section={section} group={group} />
      <ChevronDown
        size={16}
        aria-hidden
        className={cx("shrink-0 text-text-3 transition-transform", isOpen && "rotate-180")}
      />
    </div>
  );
}

function useHeadTitle(group: WireGroup | undefined): string {
  const text = useTexts(TEXTS);
  const task = useLive(({ groups, tasks }) => group && taskOf(group, groups, tasksByGroup(tasks)));
  const title = useGroupTitle(group ?? NO_GROUP, task, useFirstRole(group?.groupId ?? ""));
  return group ? title : text.unsorted;
}

function Badges({
  section,
  group,
}: {
  readonly section: Section | undefined;
  readonly group: WireGroup | undefined;
}) {
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const isOfTask = useLive(
    ({ groups, tasks }) =>
      group !== undefined && taskOf(group, groups, tasksByGroup(tasks)) !== undefined,
  );
  const { counts, broken = 0, total = 0, live = 0 } = section ?? {};
  const { running = 0, queued = 0, cancelled = 0 } = counts ?? {};
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-end gap-1.5 max-sm:order-last max-sm:w-full max-sm:justify-start max-sm:pl-12 max-sm:empty:hidden">
      {group?.magentic && (
        <span className="hidden font-mono text-xs text-text-2 sm:inline">
          {text.iterations(group.magentic.iterations, group.magentic.maxIterations)}
          {group.magentic.stalls > 0 && (
            <span className="ml-2 text-timeout">{text.stalls(group.magentic.stalls)}</span>
          )}
        </span>
      )}
      {broken > 0 && <StatusBadge status="failed" label={`${agentStatus.failed} ${broken}`} />}
      {running > 0 && <StatusBadge status="running" label={`${agentStatus.running} ${running}`} />}
      {running === 0 && queued > 0 && (
        <StatusBadge status="queued" label={`${agentStatus.queued} ${queued}`} />
      )}
      {total > 0 && live === 0 && broken === 0 && (
        <StatusBadge
          status={cancelled === total ? "cancelled" : "completed"}
          label={cancelled === total ? agentStatus.cancelled : agentStatus.completed}
        />
      )}
      {group?.deletedAt && !isOfTask && <StatusBadge status="cancelled" label={text.deleted} />}
    </div>
  );
}
