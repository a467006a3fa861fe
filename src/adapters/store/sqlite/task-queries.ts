import type { TaskQueries } from "../../../app/ports/task-store.ts";
import { getAgentCall, listAgentCalls, listForwardedAgentCalls } from "./agent-calls.ts";
import {
  countPendingApprovals,
  getApproval,
  listApprovalsByBinding,
  listDueApprovals,
  nextApprovalDue,
} from "./approvals.ts";
import { countAudit, listAudit, listAuditAfter } from "./audit.ts";
import { getProcessDraft, getPromptDraft, listProcessDrafts, listPromptDrafts } from "./drafts.ts";
import { listTaskEvents } from "./events.ts";
import { getExecution, listExecutions } from "./executions.ts";
import { getKeyedRequest } from "./keyed-requests.ts";
import { listApprovals, listOpenApprovals } from "./list-approvals.ts";
import { listTasks } from "./list-tasks.ts";
import { listAllStopNotices, listStopNotices, listTaskNotifications } from "./notifications.ts";
import type { Run } from "./queries.ts";
import { getSignIn } from "./sign-ins.ts";
import { listTaskAgents, listUnsettledTaskAgents } from "./task-agents.ts";
import { countTasks, getTask, getTaskOfGroup, listUnfinishedTasks } from "./tasks.ts";
import {
  getToolCall,
  listForwardedToolCalls,
  listTaskToolCalls,
  listToolCalls,
} from "./tool-calls.ts";
import { listToolPins } from "./tool-pins.ts";

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
    listStopNotices: (agentId) => run((db) => listStopNotices(db, agentId)),
    listAllStopNotices: () => run(listAllStopNotices),
    listTaskNotifications: (taskId) => run((db) => listTaskNotifications(db, taskId)),
    listTaskEvents: (taskId, afterSeq, limit) =>
      run((db) => listTaskEvents(db, taskId, afterSeq, limit)),
    listToolPins: () => run(listToolPins),
    listAudit: (query) => run((db) => listAudit(db, query)),
    countAudit: () => run(countAudit),
    listAuditAfter: (seq, limit) => run((db) => listAuditAfter(db, seq, limit)),
    getSignIn: (hash) => run((db) => getSignIn(db, hash)),
    getKeyedRequest: (key) => run((db) => getKeyedRequest(db, key)),
  };
}
