import type { TaskQueries } from "../../../../app/ports/task-store.ts";
import { listTaskAgents, listUnsettledTaskAgents } from "../agents/task-agents.ts";
import {
  countPendingApprovals,
  getApproval,
  listApprovalsByBinding,
  listDueApprovals,
  nextApprovalDue,
} from "../approvals/approvals.ts";
import { listApprovals, listOpenApprovals } from "../approvals/list-approvals.ts";
import { getAgentCall, listAgentCalls, listForwardedAgentCalls } from "../gateway/agent-calls.ts";
import {
  getToolCall,
  listForwardedToolCalls,
  listTaskToolCalls,
  listToolCalls,
} from "../gateway/tool-calls.ts";
import { listToolPins } from "../gateway/tool-pins.ts";
import {
  listAllStopNotifications,
  listStopNotifications,
  listTaskNotifications,
} from "../notifications/notifications.ts";
import { countAudit, listAudit, listAuditAfter } from "../people/audit.ts";
import { getSignIn } from "../people/sign-ins.ts";
import {
  getProcessDraft,
  getPromptDraft,
  listProcessDrafts,
  listPromptDrafts,
} from "../tasks/drafts.ts";
import { getExecution, listExecutions } from "../tasks/executions.ts";
import { listTasks } from "../tasks/list-tasks.ts";
import { countTasks, getTask, getTaskOfGroup, listUnfinishedTasks } from "../tasks/tasks.ts";
import { listTaskEvents } from "./events.ts";
import { getIdempotencyRecord } from "./idempotency-keys.ts";
import type { Run } from "./queries.ts";

export function createTaskQueries(run: Run): TaskQueries {
  return {
    getTask: (id) => run((db) => getTask(db, id)),
    getTaskOfGroup: (groupId) => run((db) => getTaskOfGroup(db, groupId)),
    listTasks: (query) => run((db) => listTasks(db, query)),
    countTasks: () => run(countTasks),
    listUnfinishedTasks: () => run(listUnfinishedTasks),
    getPromptDraft: (id) => run((db) => getPromptDraft(db, id)),
    listPromptDrafts: (taskId) => run((db) => listPromptDrafts(db, taskId)),
    getProcessDraft: (id) => run((db) => getProcessDraft(db, id)),
    listProcessDrafts: (taskId) => run((db) => listProcessDrafts(db, taskId)),
    getExecution: (id) => run((db) => getExecution(db, id)),
    listExecutions: (taskId) => run((db) => listExecutions(db, taskId)),
    getApproval: (id) => run((db) => getApproval(db, id)),
    listApprovals: (query) => run((db) => listApprovals(db, query)),
    listOpenApprovals: (limit) => run((db) => listOpenApprovals(db, limit)),
    countPendingApprovals: () => run(countPendingApprovals),
    listApprovalsByBinding: (binding) => run((db) => listApprovalsByBinding(db, binding)),
    listDueApprovals: (now, limit) => run((db) => listDueApprovals(db, now, limit)),
    nextApprovalDue: () => run(nextApprovalDue),
    getToolCall: (id) => run((db) => getToolCall(db, id)),
    listToolCalls: (executionId) => run((db) => listToolCalls(db, executionId)),
    listTaskToolCalls: (taskId) => run((db) => listTaskToolCalls(db, taskId)),
    listForwardedToolCalls: () => run(listForwardedToolCalls),
    getAgentCall: (id) => run((db) => getAgentCall(db, id)),
    listAgentCalls: (agentId) => run((db) => listAgentCalls(db, agentId)),
    listForwardedAgentCalls: () => run(listForwardedAgentCalls),
    listTaskAgents: (taskId) => run((db) => listTaskAgents(db, taskId)),
    listUnsettledTaskAgents: (taskId) => run((db) => listUnsettledTaskAgents(db, taskId)),
    listStopNotifications: (agentId) => run((db) => listStopNotifications(db, agentId)),
    listAllStopNotifications: () => run(listAllStopNotifications),
    listTaskNotifications: (taskId) => run((db) => listTaskNotifications(db, taskId)),
    listTaskEvents: (taskId, afterSeq, limit) =>
      run((db) => listTaskEvents(db, taskId, afterSeq, limit)),
    listToolPins: () => run(listToolPins),
    listAudit: (query) => run((db) => listAudit(db, query)),
    countAudit: () => run(countAudit),
    listAuditAfter: (seq, limit) => run((db) => listAuditAfter(db, seq, limit)),
    getSignIn: (hash) => run((db) => getSignIn(db, hash)),
    getIdempotencyRecord: (key) => run((db) => getIdempotencyRecord(db, key)),
  };
}
