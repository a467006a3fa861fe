import { expect, test } from "vitest";
import {
  AGENT_EVENTS,
  AGENT_STATUSES,
  AGENT_TRANSITIONS,
  PROCESS_STATES,
  PROCESS_TRANSITIONS,
  type AgentEvent,
  type AgentStatus,
  type ProcessState,
} from "./agents/agent.ts";
import {
  ALERT_EVENTS,
  ALERT_STATUSES,
  ALERT_TRANSITIONS,
  type AlertEvent,
  type AlertStatus,
} from "./alerts/alert.ts";
import { APPROVAL_EVENTS, APPROVAL_STATUSES, nextApprovalStatus } from "./approvals/approval.ts";
import { nextToolCallStatus, TOOL_CALL_EVENTS, TOOL_CALL_STATUSES } from "./gateway/tool-call.ts";
import {
  GROUP_EVENTS,
  GROUP_STATUSES,
  GROUP_TRANSITIONS,
  type GroupEvent,
  type GroupStatus,
} from "./groups/group.ts";
import { nextRunnerState, RUNNER_EVENTS, RUNNER_STATES } from "./health/runner-problem.ts";
import {
  MERGE_EVENTS,
  MERGE_STATUSES,
  MERGE_TRANSITIONS,
  type MergeEvent,
  type MergeStatus,
} from "./merges/merge.ts";
import {
  NOTIFICATION_EVENTS,
  NOTIFICATION_STATUSES,
  nextNotificationStatus,
} from "./notifications/notification.ts";
import { Refusal } from "./refusal.ts";
import {
  SCHEDULE_EVENTS,
  SCHEDULE_STATUSES,
  SCHEDULE_TRANSITIONS,
  type ScheduleEvent,
  type ScheduleStatus,
} from "./schedules/schedule.ts";
import {
  EXECUTION_EVENTS,
  EXECUTION_STATUSES,
  nextExecutionStatus,
  nextStepStatus,
  STEP_EVENTS,
  STEP_STATUSES,
} from "./tasks/execution.ts";
import { nextTaskStatus, TASK_EVENTS, TASK_STATUSES } from "./tasks/task.ts";
import { nextState } from "./transition.ts";
import {
  WORKSPACE_EVENTS,
  WORKSPACE_STATUSES,
  WORKSPACE_TRANSITIONS,
  type WorkspaceEvent,
  type WorkspaceStatus,
} from "./workspaces/workspace.ts";

const REFUSED = ["TRANSITION_NOT_ALLOWED", "TASK_NOT_IN_PROGRESS"];

/**
 * The allowed pairs, written a second time by hand from the specification, because a table cannot
 * check itself. Every pair not listed must be refused.
 */
const LAWFUL: Record<string, Record<string, string>> = {
  agent: {
    "queued launched": "queued",
    "queued relaunched": "queued",
    "queued requeued": "queued",
    "queued started": "running",
    "queued start_failed": "failed",
    "queued cancelled": "cancelled",
    "running reported": "resultReported",
    "running succeeded": "completed",
    "running failed": "failed",
    "running timed_out": "timedOut",
    "running cancelled": "cancelled",
    "running lost": "lost",
    "running session_lost": "queued",
    "running postponed": "queued",
    "running host_lost": "queued",
    "running exited": "running",
    "completed reported": "resultReported",
    "failed reported": "resultReported",
    "timedOut reported": "resultReported",
    "cancelled reported": "resultReported",
    "lost reported": "resultReported",
    "resultReported reported": "resultReported",
    "resultReported succeeded": "resultReported",
    "resultReported failed": "resultReported",
    "resultReported timed_out": "resultReported",
    "resultReported cancelled": "resultReported",
    "resultReported lost": "resultReported",
    "resultReported exited": "resultReported",
  },
  process: {
    "waiting launched": "starting",
    "waiting start_failed": "ended",
    "waiting cancelled": "ended",
    "starting relaunched": "starting",
    "starting requeued": "waiting",
    "starting started": "alive",
    "starting start_failed": "ended",
    "starting cancelled": "ended",
    "alive reported": "alive",
    "alive succeeded": "ended",
    "alive failed": "ended",
    "alive timed_out": "ended",
    "alive cancelled": "ended",
    "alive lost": "ended",
    "alive session_lost": "waiting",
    "alive postponed": "waiting",
    "alive host_lost": "waiting",
    "alive exited": "capturing",
    "capturing reported": "capturing",
    "capturing succeeded": "ended",
    "capturing failed": "ended",
    "capturing timed_out": "ended",
    "capturing cancelled": "ended",
    "capturing lost": "ended",
    "capturing session_lost": "waiting",
    "capturing postponed": "waiting",
    "ended reported": "ended",
  },
  workspace: {
    "planned prepare": "preparing",
    "planned prepare_failed": "failed",
    "planned retired": "retired",
    "preparing prepare": "preparing",
    "preparing prepared": "ready",
    "preparing prepare_failed": "failed",
    "preparing handed_back": "planned",
    "preparing retired": "retired",
    "ready prepare": "preparing",
    "ready captured": "captured",
    "ready damaged": "damaged",
    "ready reopened": "ready",
    "ready retired": "retired",
    "captured captured": "captured",
    "captured damaged": "damaged",
    "captured reopened": "planned",
    "captured retired": "retired",
    "failed prepare": "preparing",
    "failed retired": "retired",
    "damaged captured": "captured",
    "damaged retired": "retired",
    "retired reopened": "planned",
  },
  merge: {
    "awaiting_approval approved": "queued",
    "awaiting_approval rejected": "rejected",
    "awaiting_approval cancelled": "cancelled",
    "queued check_started": "checking",
    "queued conflicted": "conflicted",
    "queued check_failed": "check_failed",
    "queued held_back": "ready_to_land",
    "queued landed": "landed",
    "queued requeued": "queued",
    "queued cancelled": "cancelled",
    "checking check_started": "checking",
    "checking requeued": "queued",
    "checking conflicted": "conflicted",
    "checking check_failed": "check_failed",
    "checking held_back": "ready_to_land",
    "checking landed": "landed",
    "checking cancelled": "cancelled",
    "ready_to_land retried": "queued",
    "ready_to_land landed": "landed",
    "ready_to_land cancelled": "cancelled",
    "conflicted retried": "queued",
    "conflicted cancelled": "cancelled",
    "check_failed retried": "queued",
    "check_failed cancelled": "cancelled",
    "landed undone": "undone",
  },
  group: {
    "active agents_added": "active",
    "active stage_advanced": "active",
    "active ledger_updated": "active",
    "active deleted": "deleted",
  },
  alert: {
    "pending tried": "pending",
    "pending delivered": "sent",
    "pending gave_up": "failed",
    "pending outdated": "dropped",
  },
  schedule: {
    "active paused": "paused",
    "active changed": "active",
    "active advanced": "active",
    "active run": "active",
    "paused resumed": "active",
    "paused changed": "paused",
    "paused run": "paused",
  },
  approval: {
    "pending approved": "approved",
    "pending rejected": "rejected",
    "pending superseded": "superseded",
    "pending expired": "expired",
    "pending extended": "pending",
    "pending cancelled": "cancelled",
  },
  task: {
    "analyzing analyzed": "planning",
    "analyzing stage_failed": "failed",
    "analyzing cancelled": "cancelled",
    "planning prompt_drafted": "awaiting_prompt_approval",
    "planning stage_failed": "failed",
    "planning cancelled": "cancelled",
    "awaiting_prompt_approval prompt_approved": "designing",
    "awaiting_prompt_approval prompt_rejected": "planning",
    "awaiting_prompt_approval approval_expired": "failed",
    "awaiting_prompt_approval cancelled": "cancelled",
    "designing process_drafted": "awaiting_process_approval",
    "designing stage_failed": "failed",
    "designing cancelled": "cancelled",
    "awaiting_process_approval process_approved": "in_progress",
    "awaiting_process_approval process_rejected": "designing",
    "awaiting_process_approval approval_expired": "failed",
    "awaiting_process_approval cancelled": "cancelled",
    "in_progress execution_completed": "completed",
    "in_progress execution_failed": "failed",
    "in_progress blocked": "blocked",
    "in_progress cancelled": "cancelled",
    "blocked unblocked": "in_progress",
    "blocked execution_completed": "blocked",
    "blocked execution_failed": "blocked",
    "blocked cancelled": "cancelled",
    "failed cancelled": "cancelled",
    "failed retried": "in_progress",
    "failed analysis_retried": "analyzing",
    "failed planning_retried": "planning",
    "failed design_retried": "designing",
    "failed prompt_asked_again": "awaiting_prompt_approval",
    "failed process_asked_again": "awaiting_process_approval",
  },
  execution: {
    "queued started": "running",
    "queued blocked": "blocked",
    "queued cancelled": "cancelled",
    "running human_needed": "waiting_for_human",
    "running stop_requested": "stopping",
    "running succeeded": "completed",
    "running failed": "failed",
    "waiting_for_human human_decided": "running",
    "waiting_for_human stop_requested": "stopping",
    "waiting_for_human blocked": "blocked",
    "waiting_for_human cancelled": "cancelled",
    "stopping succeeded": "completed",
    "stopping failed": "failed",
    "stopping blocked": "blocked",
    "stopping cancelled": "cancelled",
  },
  step: {
    "waiting started": "running",
    "waiting human_needed": "waiting_for_human",
    "waiting finished": "done",
    "waiting failed": "failed",
    "waiting stopped": "stopped",
    "running started": "running",
    "running human_needed": "waiting_for_human",
    "running finished": "done",
    "running failed": "failed",
    "running stopped": "stopped",
    "running answer_lost": "outcome_unknown",
    "waiting_for_human human_needed": "waiting_for_human",
    "waiting_for_human human_approved": "running",
    "waiting_for_human rejected": "rejected",
    "waiting_for_human failed": "failed",
    "waiting_for_human stopped": "stopped",
    "done started": "running",
    "done human_needed": "waiting_for_human",
    "done finished": "done",
    "failed started": "running",
    "failed human_needed": "waiting_for_human",
    "failed reopened": "waiting",
    "rejected reopened": "waiting",
    "stopped reopened": "waiting",
    "outcome_unknown answer_lost": "outcome_unknown",
    "outcome_unknown confirmed": "done",
    "outcome_unknown reopened": "waiting",
    "outcome_unknown failed": "failed",
  },
  toolCall: {
    "forwarded answered": "done",
    "forwarded failed": "failed",
    "forwarded cancelled": "cancelled",
    "forwarded answer_lost": "outcome_unknown",
    "outcome_unknown confirmed": "done",
    "outcome_unknown denied": "failed",
  },
  notification: {
    "pending announced": "announced",
    "pending read": "read",
    "pending cleared": "cleared",
    "announced announced": "announced",
    "announced read": "read",
    "announced cleared": "cleared",
    "read read": "read",
    "read reopened": "pending",
    "read cleared": "cleared",
  },
  runner: {
    "ready limited": "paused",
    "ready signed_out": "signed-out",
    "ready answered": "ready",
    "ready check_passed": "ready",
    "paused limited": "paused",
    "paused signed_out": "signed-out",
    "paused check_passed": "ready",
    "paused due": "trial",
    "paused tried": "trial",
    "trial limited": "paused",
    "trial signed_out": "signed-out",
    "trial answered": "ready",
    "trial check_passed": "ready",
    "trial tried": "trial",
    "signed-out limited": "paused",
    "signed-out signed_out": "signed-out",
    "signed-out answered": "ready",
    "signed-out check_passed": "ready",
  },
};

const IT = { en: "It", ja: "それ" };

const agentStatus = (status: AgentStatus, event: AgentEvent) =>
  nextState(AGENT_TRANSITIONS, IT, status, event);
const processState = (state: ProcessState, event: AgentEvent) =>
  nextState(PROCESS_TRANSITIONS, IT, state, event);
const groupStatus = (status: GroupStatus, event: GroupEvent) =>
  nextState(GROUP_TRANSITIONS, IT, status, event);
const alertStatus = (status: AlertStatus, event: AlertEvent) =>
  nextState(ALERT_TRANSITIONS, IT, status, event);
const scheduleStatus = (status: ScheduleStatus, event: ScheduleEvent) =>
  nextState(SCHEDULE_TRANSITIONS, IT, status, event);

const workspaceStatus = (status: WorkspaceStatus, event: WorkspaceEvent) =>
  nextState(WORKSPACE_TRANSITIONS, IT, status, event);
const mergeStatus = (status: MergeStatus, event: MergeEvent) =>
  nextState(MERGE_TRANSITIONS, IT, status, event);

everyPair("workspace", workspaceStatus, WORKSPACE_STATUSES, WORKSPACE_EVENTS);
everyPair("merge", mergeStatus, MERGE_STATUSES, MERGE_EVENTS);
everyPair("schedule", scheduleStatus, SCHEDULE_STATUSES, SCHEDULE_EVENTS);
everyPair("agent", agentStatus, AGENT_STATUSES, AGENT_EVENTS);
everyPair("process", processState, PROCESS_STATES, AGENT_EVENTS);
everyPair("group", groupStatus, GROUP_STATUSES, GROUP_EVENTS);
everyPair("alert", alertStatus, ALERT_STATUSES, ALERT_EVENTS);
everyPair("approval", nextApprovalStatus, APPROVAL_STATUSES, APPROVAL_EVENTS);
everyPair("task", nextTaskStatus, TASK_STATUSES, TASK_EVENTS);
everyPair("execution", nextExecutionStatus, EXECUTION_STATUSES, EXECUTION_EVENTS);
everyPair("step", nextStepStatus, STEP_STATUSES, STEP_EVENTS);
everyPair("toolCall", nextToolCallStatus, TOOL_CALL_STATUSES, TOOL_CALL_EVENTS);
everyPair("runner", nextRunnerState, RUNNER_STATES, RUNNER_EVENTS);
everyPair("notification", nextNotificationStatus, NOTIFICATION_STATUSES, NOTIFICATION_EVENTS);

test("a task that is not in progress cannot be blocked, and the refusal says to cancel it", () => {
  for (const status of TASK_STATUSES.filter((each) => each !== "in_progress")) {
    expect(() => nextTaskStatus(status, "blocked")).toThrow(
      expect.objectContaining({
        code: "TASK_NOT_IN_PROGRESS",
        hint: expect.stringContaining("Cancel"),
      }),
    );
  }
});

function everyPair<State extends string, Event extends string>(
  name: string,
  next: (state: State, event: Event) => State,
  states: readonly State[],
  events: readonly Event[],
): void {
  for (const state of states) {
    for (const event of events) {
      const expected = LAWFUL[name]?.[`${state} ${event}`] ?? "refused";
      test(`${name}: ${state} + ${event} → ${expected}`, () => {
        expect(stateOrRefused(() => next(state, event))).toBe(expected);
      });
    }
  }
}

function stateOrRefused(step: () => string): string {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refusal && REFUSED.includes(error.code)) return "refused";
    throw error;
  }
}
