import { Link } from "@tanstack/react-router";
import {
  CalendarClock,
  Ban,
  ChevronDown,
  Coins,
  DoorOpen,
  OctagonPause,
  Play,
  RotateCcw,
  Timer,
  UserRound,
} from "lucide-react";
import type { ReactNode } from "react";
import { visiblePreview } from "../../../../../src/contract/visible-text.ts";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useSection } from "../../../live/sections.ts";
import { Button } from "../../../ui/button.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { MonoId } from "../../../ui/mono-id.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { Elapsed } from "../../../ui/times.tsx";
import { RehearsalMark } from "../../agents/rehearsal-mark.tsx";
import { isUsed, sumOf } from "../../agents/usage-rows.ts";
import { usePersonName } from "../../people/use-person-name.ts";
import { SaveAsTemplate } from "../../templates/save-dialog.tsx";
import { type Change, changesOf } from "../columns.ts";
import { PriorityMark } from "../priority-mark.tsx";
import { TASKS } from "../texts.ts";
import { ShareTask } from "./share-menu.tsx";
import { TASK } from "./texts.ts";
import { useTaskCost } from "./use-task-cost.ts";

export type TaskHeaderProps = {
  readonly task: TaskDetail;
  readonly onChange: (change: Change) => void;
};

export function TaskHeader({ task, onChange }: TaskHeaderProps) {
  const text = useTexts(TASK);
  const nameOf = usePersonName();
  const section = useSection(task.groupId);
  const icon = { size: 14, "aria-hidden": true } as const;
  return (
    <header className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-96">
        <p className="flex items-center gap-1.5 text-xs text-text-3">
          <Link to="/tasks" className="text-text-2 hover:text-text hover:underline">
            {text.breadcrumb}
          </Link>
          <span aria-hidden>／</span>
          <MonoId id={task.taskId} />
        </p>
        <h1 dir="auto" className="line-clamp-3 text-xl leading-8 font-bold">
          {visiblePreview(task.title ?? task.request.slice(0, 140))}
        </h1>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-text-2">
          <TaskBadge task={task} />
          {section?.isRehearsal && <RehearsalMark />}
          <PriorityMark priority={task.priority} isNamed />
          <Fact icon={<DoorOpen {...icon} />} name={text.door}>
            {text.doors[task.door]}
          </Fact>
          {task.scheduleId !== undefined && (
            <Fact icon={<CalendarClock {...icon} />} name={text.schedule}>
              <Link
                to="/schedules/$scheduleId"
                params={{ scheduleId: task.scheduleId }}
                className="hover:text-text hover:underline"
              >
                {text.schedule}
              </Link>
            </Fact>
          )}
          <Fact icon={<UserRound {...icon} />} name={text.requester}>
            {nameOf(task.requester)}
          </Fact>
          <Fact icon={<Timer {...icon} />} name={text.elapsed}>
            <span className="tabular-nums">
              <Elapsed from={task.createdAt} to={task.endedAt} />
            </span>
          </Fact>
          <Cost task={task} icon={<Coins {...icon} />} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2 max-lg:w-full max-lg:[&>button]:flex-auto max-lg:[&>button]:whitespace-nowrap">
        <ShareTask task={task} />
        <SaveAsTemplate task={task} />
        <Deeds task={task} onChange={onChange} />
      </div>
    </header>
  );
}

/** Says that the task waits for a person, if it does. */
function TaskBadge({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(TASK);
  const { taskStatus } = useTexts(COMMON);
  const mayOperate = useMayOperate();
  const isWaiting =
    task.status === "in_progress" && task.approvals.some(({ status }) => status === "pending");
  if (isWaiting) {
    return <StatusBadge status="pending" label={mayOperate ? text.waitsForYou : text.waits} />;
  }
  return <StatusBadge status={task.status} label={taskStatus[task.status]} />;
}

function Fact({
  icon,
  name,
  children,
}: {
  readonly icon: ReactNode;
  readonly name: string;
  readonly children: ReactNode;
}) {
  return (
    <span className="flex items-center gap-1.5" title={name}>
      {icon}
      <span className="sr-only">{name} </span>
      {children}
    </span>
  );
}

/** Hidden until a CLI has reported usage. */
function Cost({ task, icon }: { readonly task: TaskDetail; readonly icon: ReactNode }) {
  const text = useTexts(TASK);
  const format = useFormat();
  const used = useTaskCost(task).usage.filter(isUsed);
  const sum = sumOf(used);
  if (used.length === 0) return null;
  if (!sum) {
    return (
      <Fact icon={icon} name={text.cost}>
        <span className="text-text-3">{text.costUnknown}</span>
      </Fact>
    );
  }
  return (
    <Fact icon={icon} name={text.cost}>
      <span className="font-mono">
        {format.amounts(sum.amounts)}
        {sum.isPartial && (
          <span className="ml-1 font-sans text-xs text-text-3">{text.costPartly}</span>
        )}
      </span>
    </Fact>
  );
}

/** A menu with all status changes, and ブロックする as a button because it can be urgent. */
function Deeds({ task, onChange }: TaskHeaderProps) {
  const text = useTexts(TASK);
  const words = useTexts(TASKS);
  const common = useTexts(COMMON);
  const changes = useMayOperate() ? changesOf(task) : [];
  const icon = { size: 14, "aria-hidden": true } as const;
  const items = {
    block: {
      label: `${words.columns.blocked} (${common.block})`,
      icon: <OctagonPause {...icon} />,
    },
    unblock: { label: `${words.columns.progress} (${common.unblock})`, icon: <Play {...icon} /> },
    retry: { label: `${words.columns.progress} (${common.retry})`, icon: <RotateCcw {...icon} /> },
    cancel: { label: text.stop, icon: <Ban {...icon} /> },
  };
  const [main] = changes;
  if (!main) return null;
  return (
    <>
      <Menu
        label={text.moves}
        trigger={
          <Button className="max-lg:min-h-10">
            {text.statusMenu(common.taskStatus[task.status])}
            <ChevronDown {...icon} />
          </Button>
        }
        actions={changes.map((change) => ({
          id: change,
          ...items[change],
          isDangerous: change === "cancel",
          run: () => onChange(change),
        }))}
      />
      {main !== "cancel" && (
        <Button
          data-tour={main}
          look={main === "block" ? "block" : "violet"}
          className="max-lg:min-h-10"
          icon={items[main].icon}
          onPress={() => onChange(main)}
        >
          {common[main]}
        </Button>
      )}
    </>
  );
}
