import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import type { WireStep, WireStepState, WireToolCall } from "../../../api/task-detail.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { cx } from "../../../ui/cx.ts";
import { LongText } from "../../../ui/long-text.tsx";
import { TONE_TEXT, toneOf } from "../../../ui/status-badge.tsx";
import { Elapsed } from "../../../ui/times.tsx";
import { CheckMark, ToolName } from "../../approvals/content/steps-list.tsx";
import { TASK } from "../detail/texts.ts";
import { CallList } from "./call-list.tsx";
import { StepIcon } from "./step-icon.tsx";
import type { Timeline } from "./timeline.ts";

export type StepRowProps = {
  readonly step: WireStep;
  readonly state: WireStepState;
  readonly calls: readonly WireToolCall[];
  readonly timeline: Timeline;
  readonly now: number;
  /** Its approval is shown just below. */
  readonly isAsked: boolean;
};

/** A step: its status, its bar on the timeline and its calls. */
export function StepRow({ step, state, calls, timeline, now, isAsked }: StepRowProps) {
  const text = useTexts(TASK);
  const { stepStatus } = useTexts(COMMON);
  const [isOpen, setOpen] = useState(false);
  const { status, startedAt, endedAt, error, note } = state;
  const isWaiting = status === "waiting_for_human";
  const hasCalls = calls.length > 0;
  return (
    <li
      className={cx(
        "rounded-lg px-2 py-1",
        isWaiting && "bg-badge/15",
        status === "outcome_unknown" && "bg-timeout/10",
        (status === "failed" || status === "rejected") && "bg-danger/10",
      )}
    >
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2.5 sm:grid-cols-[auto_minmax(0,1fr)_minmax(4rem,20%)_8.5rem_1.5rem]">
        <StepIcon status={status} />
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="font-semibold">
            {step.order}. {visibleName(step.title)}
          </span>
          <ToolName server={step.server} tool={step.tool} />
          {step.requiresHumanCheck && status === "waiting" && <CheckMark />}
          <span className="sr-only">{stepStatus[status]}</span>
        </div>
        <Bar state={state} timeline={timeline} now={now} />
        <span
          className={cx(
            "text-right text-xs whitespace-nowrap tabular-nums",
            isWaiting ? "text-pending" : "text-text-2",
          )}
        >
          {isWaiting && `${text.waitingFor} `}
          <Elapsed from={startedAt} to={endedAt} />
        </span>
        {hasCalls ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={text.showCalls(visibleName(step.title))}
            onClick={() => setOpen(!isOpen)}
            className="hidden justify-self-end rounded p-0.5 text-text-3 hover:text-text sm:block"
          >
            {isOpen ? (
              <ChevronDown size={14} aria-hidden />
            ) : (
              <ChevronRight size={14} aria-hidden />
            )}
          </button>
        ) : (
          <span className="hidden sm:block" />
        )}
      </div>
      {status === "outcome_unknown" && !isAsked && (
        <p className="mt-1 pl-7 text-timeout">{text.outcomeUnknown}</p>
      )}
      {error !== null && !isAsked && (
        <div className="mt-1 pl-7">
          <LongText text={error} lines={3} mono className="text-failed" />
        </div>
      )}
      {note !== null && (
        <div className="mt-0.5 pl-7">
          <LongText text={note} lines={2} className="text-text-2" />
        </div>
      )}
      {isOpen && (
        <div className="mt-1 pl-7">
          <CallList calls={calls} />
        </div>
      )}
    </li>
  );
}

const LEAST_PERCENT = 1.5;

/** Its bar on the timeline of the attempt. */
function Bar({ state, timeline, now }: Pick<StepRowProps, "state" | "timeline" | "now">) {
  const { startedAt, endedAt, status } = state;
  const tone = toneOf(status);
  const left = startedAt === null ? 0 : timeline(Date.parse(startedAt));
  const right = timeline(endedAt === null ? now : Date.parse(endedAt));
  return (
    <span aria-hidden className="hidden h-2 overflow-hidden rounded-full bg-raised sm:block">
      {startedAt !== null && (
        <span
          className={cx(
            "block h-full rounded-full",
            TONE_TEXT[tone],
            tone === "pending" || tone === "blocked" ? "bg-current/30 hatch" : "bg-current",
          )}
          style={{
            marginLeft: `${Math.min(left, 100 - LEAST_PERCENT)}%`,
            width: `${Math.max(LEAST_PERCENT, right - left)}%`,
          }}
        />
      )}
    </span>
  );
}
