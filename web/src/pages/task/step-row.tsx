import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import type { WireStep, WireStepState, WireToolCall } from "../../api/task-detail.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { LongText } from "../../kit/long-text.tsx";
import { TONE_TEXT, toneOf } from "../../kit/status-badge.tsx";
import { Elapsed } from "../../kit/times.tsx";
import { cx } from "../../lib/cx.ts";
import { CheckMark, ToolName } from "../approvals/steps-list.tsx";
import { CallList } from "./call-list.tsx";
import { StepIcon } from "./step-icon.tsx";
import { TASK } from "./texts.ts";

export type Span = { readonly from: number; readonly ms: number };

export type StepRowProps = {
  readonly step: WireStep;
  readonly state: WireStepState;
  readonly calls: readonly WireToolCall[];
  readonly span: Span;
  readonly now: number;
};

/** One step: how it stands, when it ran, and what it called. */
export function StepRow({ step, state, calls, span, now }: StepRowProps) {
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
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2.5 sm:grid-cols-[auto_minmax(0,1fr)_minmax(4rem,22%)_5.5rem_1.5rem]">
        <StepIcon status={status} />
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="font-semibold">
            {step.order}. {step.title}
          </span>
          <ToolName server={step.server} tool={step.tool} />
          {step.requiresHumanCheck && status === "waiting" && <CheckMark />}
          <span className="sr-only">{stepStatus[status]}</span>
        </div>
        <Bar state={state} span={span} now={now} />
        <span
          className={cx(
            "text-right font-mono text-xs whitespace-nowrap",
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
            aria-label={text.showCalls(step.title)}
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
      {status === "outcome_unknown" && (
        <p className="mt-1 pl-7 text-timeout">{text.outcomeUnknown}</p>
      )}
      {error !== null && (
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

/** When it ran, among the others of the attempt. */
function Bar({ state, span, now }: Pick<StepRowProps, "state" | "span" | "now">) {
  const { startedAt, endedAt, status } = state;
  const tone = toneOf(status);
  const start = startedAt === null ? null : Date.parse(startedAt);
  const left = start === null ? 0 : ((start - span.from) / span.ms) * 100;
  const end = endedAt === null ? now : Date.parse(endedAt);
  const width = start === null ? 0 : ((end - start) / span.ms) * 100;
  return (
    <span aria-hidden className="hidden h-2 overflow-hidden rounded-full bg-raised sm:block">
      {start !== null && (
        <span
          className={cx(
            "block h-full rounded-full",
            TONE_TEXT[tone],
            tone === "pending" || tone === "blocked" ? "hatch" : "bg-current",
          )}
          style={{
            marginLeft: `${Math.min(Math.max(0, left), 100 - LEAST_PERCENT)}%`,
            width: `${Math.min(Math.max(LEAST_PERCENT, width), 100)}%`,
          }}
        />
      )}
    </span>
  );
}
