import { GripVertical } from "lucide-react";
import { Button } from "react-aria-components";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import type { WireTask } from "../../../../../src/contract/shapes/tasks.ts";
import { visiblePreview } from "../../../../../src/contract/visible-text.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useSection } from "../../../live/sections.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { Ago } from "../../../ui/times.tsx";
import { RehearsalMark } from "../../agents/rehearsal-mark.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import type { Change } from "../columns.ts";
import { PriorityMark } from "../priority-mark.tsx";
import { TASKS } from "../texts.ts";
import { MoveMenu } from "./move-menu.tsx";

export type TaskCardProps = {
  readonly task: WireTask;
  readonly approval: WireApproval | undefined;
  readonly onChange: (change: Change) => void;
  readonly onOpen: () => void;
};

export function TaskCard({ task, approval, onChange, onOpen }: TaskCardProps) {
  const text = useTexts(TASKS);
  const { taskStatus, approvalKind } = useTexts(COMMON);
  const nameOf = usePersonName();
  const mayOperate = useMayOperate();
  const section = useSection(task.groupId);
  const name = visiblePreview(task.title ?? task.request.slice(0, 120));
  const isCheck = approval !== undefined && task.status === "in_progress";
  const remark = remarkOf(task);
  return (
    <div className="flex min-w-0 flex-col gap-1.5 p-2.5">
      <div className="flex items-start gap-1">
        {mayOperate && (
          <Button
            slot="drag"
            aria-label={text.drag(name)}
            className="-ml-1 shrink-0 cursor-grab rounded p-0.5 text-text-3 hover:text-text"
          >
            <GripVertical size={14} aria-hidden />
          </Button>
        )}
        <p dir="auto" className="line-clamp-3 min-w-0 flex-1 leading-snug font-semibold">
          {name}
        </p>
        <MoveMenu task={task} onChange={onChange} onOpen={onOpen} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <StatusBadge
          status={isCheck ? "pending" : task.status}
          label={isCheck ? approvalKind[approval.kind] : taskStatus[task.status]}
        />
        {section?.isRehearsal && <RehearsalMark />}
      </div>
      {remark !== null && (
        <p className="line-clamp-2 text-xs text-text-2">{visiblePreview(remark)}</p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-text-3">
        <PriorityMark priority={task.priority} />
        <span className="max-w-24 truncate">{nameOf(task.requester)}</span>
        <Ago at={task.updatedAt} className="ml-auto" />
      </p>
    </div>
  );
}

const REMARK_CHARS = 160;

function remarkOf({ status, statusReason, failure }: WireTask): string | null {
  if (status === "failed") return failure?.message.slice(0, REMARK_CHARS) ?? null;
  if (status === "blocked" || status === "cancelled") return statusReason;
  return null;
}
