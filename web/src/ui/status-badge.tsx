import {
  Ban,
  Check,
  CheckCheck,
  CircleDashed,
  CircleHelp,
  CircleX,
  LoaderCircle,
  OctagonPause,
  TimerOff,
  UserRoundCheck,
} from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** Colours and icons for the statuses of agents, tasks, executions, steps, approvals, worktrees, merges and workers. */
export const TONES = [
  "queued",
  "running",
  "success",
  "failed",
  "timeout",
  "reported",
  "blocked",
  "pending",
  "generating",
  "cancelled",
  "unknown",
] as const;
export type Tone = (typeof TONES)[number];

const TONE_OF: Readonly<Record<string, Tone>> = {
  queued: "queued",
  waiting: "queued",
  running: "running",
  in_progress: "running",
  completed: "success",
  done: "success",
  approved: "success",
  passed: "success",
  failed: "failed",
  rejected: "failed",
  lost: "failed",
  expired: "timeout",
  timedOut: "timeout",
  timeout: "timeout",
  resultReported: "reported",
  blocked: "blocked",
  stopping: "blocked",
  stopped: "blocked",
  pending: "pending",
  waiting_for_human: "pending",
  awaiting_prompt_approval: "pending",
  awaiting_process_approval: "pending",
  analyzing: "generating",
  planning: "generating",
  designing: "generating",
  cancelled: "cancelled",
  superseded: "cancelled",
  outcome_unknown: "unknown",
  awaiting_approval: "pending",
  checking: "running",
  ready_to_land: "pending",
  landed: "success",
  conflicted: "timeout",
  check_failed: "failed",
  undone: "cancelled",
  planned: "queued",
  preparing: "generating",
  ready: "running",
  captured: "reported",
  damaged: "failed",
  retired: "cancelled",
  open: "pending",
  merged: "success",
  discarded: "cancelled",
  connected: "success",
  draining: "blocked",
  left: "cancelled",
  never: "queued",
};

export function toneOf(status: string): Tone {
  return TONE_OF[status] ?? "unknown";
}

const COLOUR: Record<Tone, string> = {
  queued: "text-queued border-queued/40 bg-queued/10",
  running: "text-running border-running/40 bg-running/10",
  success: "text-success border-success/40 bg-success/10",
  failed: "text-failed border-failed/40 bg-failed/10",
  timeout: "text-timeout border-timeout/40 bg-timeout/10",
  reported: "text-on-solid border-reported bg-reported",
  blocked: "text-blocked border-blocked/40 bg-blocked/10 hatch",
  pending: "text-pending border-pending/40 bg-pending/10",
  generating: "text-generating border-generating/40 bg-generating/10",
  cancelled: "text-cancelled border-cancelled/40 bg-cancelled/10",
  unknown: "text-timeout border-timeout/40 bg-timeout/10",
};

/** The colour alone, for bars, rings and dots. */
export const TONE_TEXT: Record<Tone, string> = {
  queued: "text-queued",
  running: "text-running",
  success: "text-success",
  failed: "text-failed",
  timeout: "text-timeout",
  reported: "text-success",
  blocked: "text-blocked",
  pending: "text-pending",
  generating: "text-generating",
  cancelled: "text-cancelled",
  unknown: "text-timeout",
};

function Dot() {
  return (
    <span className="relative inline-flex size-2">
      <span className="absolute inset-0 animate-pulse-ring rounded-full bg-current" />
      <span className="relative size-2 rounded-full bg-current" />
    </span>
  );
}

const ICON: Record<Tone, ReactNode> = {
  queued: <CircleDashed className="animate-blink" size={13} aria-hidden />,
  running: <Dot />,
  success: <Check className="animate-appear" size={13} aria-hidden />,
  failed: <CircleX className="animate-shake" size={13} aria-hidden />,
  timeout: <TimerOff className="animate-blink" size={13} aria-hidden />,
  reported: <CheckCheck size={13} aria-hidden />,
  blocked: <OctagonPause size={13} aria-hidden />,
  pending: <UserRoundCheck size={13} aria-hidden />,
  generating: <LoaderCircle className="animate-spin" size={13} aria-hidden />,
  cancelled: <Ban size={13} aria-hidden />,
  unknown: <CircleHelp size={13} aria-hidden />,
};

export function StatusIcon({ status }: { readonly status: string }) {
  const tone = toneOf(status);
  return <span className={cx("inline-flex", TONE_TEXT[tone])}>{ICON[tone]}</span>;
}

export type StatusBadgeProps = { readonly status: string; readonly label: string };

export function StatusBadge({ status, label }: StatusBadgeProps) {
  const tone = toneOf(status);
  return (
    <span
      className={cx(
        "inline-flex shrink-0 items-center gap-1.5 rounded-full border px-2 py-0.5 text-xs font-semibold whitespace-nowrap",
        COLOUR[tone],
      )}
    >
      {ICON[tone]}
      {label}
    </span>
  );
}
