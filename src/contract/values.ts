/**
 * Lists of values for the browser, which does not import the domain. This file must not import zod:
 * the dashboard's bundle has none.
 */
export { AGENT_STATUSES, STOP_REASONS } from "../domain/agents/agent.ts";
export { APPROVAL_KINDS } from "../domain/approvals/approval.ts";
export { GROUP_MODES } from "../domain/groups/group.ts";
export { describeCron } from "../domain/schedules/describe-cron.ts";
export { plannedTimeText } from "../domain/schedules/planned-time-text.ts";
export { MISSED_POLICIES, OVERLAP_POLICIES } from "../domain/schedules/schedule.ts";
export { TASK_PRIORITIES } from "../domain/tasks/task.ts";
export { partsOf } from "../domain/templates/placeholders.ts";
export { TEMPLATE_KINDS } from "../domain/templates/template.ts";
export { landCommand, mergeProblemText } from "../domain/merges/merge-problem.ts";
export { MERGE_MODES, MERGE_TRANSITIONS } from "../domain/merges/merge.ts";
export { LABEL, MAX_LABELS } from "../domain/workers/labels.ts";
export { WORKER_NAME } from "../domain/workers/worker.ts";
export { attentionText } from "../domain/workspaces/attention.ts";
export { FALLBACK_RUNNERS, RUNNER_CHOICES } from "./config/defaults.ts";
