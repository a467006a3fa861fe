import type { Queries } from "../../../../app/ports/store.ts";
import {
  countByProcess,
  countLive,
  countUnsettled,
  countUnsettledByRunner,
  listAgentsResuming,
  listLabelsInUse,
  listLiveAgents,
  listStageAgents,
  listTakenAgents,
  listUnsettledAgents,
  listWaitingAgents,
  listWaitingOfRunners,
} from "../agents/agent-queues.ts";
import { listAgentsInView } from "../agents/agent-views.ts";
import { findAgentByTokenHash, getAgent, getAgents } from "../agents/agents.ts";
import { listAgents, listGroupAgents } from "../agents/list-agents.ts";
import { listHistory } from "../agents/list-history.ts";
import { getProgress } from "../agents/progress.ts";
import { getPrompt } from "../agents/prompts.ts";
import { getReport, getResult } from "../agents/results.ts";
import { listGroupUsage, listUsage } from "../agents/usage.ts";
import { getAlertCursor, listAlerts, listDueAlerts, nextAlertDue } from "../alerts/alerts.ts";
import { getGroup, listChildGroups, listUnfinishedPlans } from "../groups/groups.ts";
import { listGroups } from "../groups/list-groups.ts";
import { getModels, listHealth } from "../health/health.ts";
import { getRunnerProblem, listRunnerProblems } from "../health/runner-problems.ts";
import {
  getNotification,
  listNotifications,
  listOpenNotifications,
} from "../notifications/notifications.ts";
import { listSavedTemplates } from "../templates/saved-templates.ts";
import { lastEventSeq, listEvents } from "./events.ts";
import { createScheduleQueries } from "./schedule-store.ts";
import { createSlackQueries } from "./slack-store.ts";
import type { Db } from "./tables.ts";
import { createTaskQueries } from "./task-queries.ts";
import { createWorkspaceQueries } from "./workspace-store.ts";

/** Returns the connection to use, or throws; every query goes through it. */
export type Run = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

export function createQueries(run: Run): Queries {
  return {
    ...createTaskQueries(run),
    ...createSlackQueries(run),
    ...createScheduleQueries(run),
    ...createWorkspaceQueries(run),
    getGroup: (id) => run((db) => getGroup(db, id)),
    getAgent: (id) => run((db) => getAgent(db, id)),
    getAgents: (ids) => run((db) => getAgents(db, ids)),
    getProgress: (id) => run((db) => getProgress(db, id)),
    getPrompt: (id) => run((db) => getPrompt(db, id)),
    getReport: (id) => run((db) => getReport(db, id)),
    getResult: (id) => run((db) => getResult(db, id)),
    listAgents: (query) => run((db) => listAgents(db, query)),
    listGroupAgents: (query) => run((db) => listGroupAgents(db, query)),
    listWaitingAgents: (slot, limit, except, paused = []) =>
      run((db) => listWaitingAgents(db, slot, limit, except, paused)),
    listWaitingOfRunners: (runners) => run((db) => listWaitingOfRunners(db, runners)),
    listLiveAgents: (workerId) => run((db) => listLiveAgents(db, workerId)),
    listTakenAgents: (workerId) => run((db) => listTakenAgents(db, workerId)),
    listAgentsResuming: (runner, sessionId) =>
      run((db) => listAgentsResuming(db, runner, sessionId)),
    countUnsettled: (groupId) => run((db) => countUnsettled(db, groupId)),
    countUnsettledByRunner: () => run(countUnsettledByRunner),
    countByProcess: () => run(countByProcess),
    countLive: () => run(countLive),
    listLabelsInUse: () => run(listLabelsInUse),
    listStageAgents: (groupId, stage) => run((db) => listStageAgents(db, groupId, stage)),
    listUnsettledAgents: (groupId) => run((db) => listUnsettledAgents(db, groupId)),
    listChildGroups: (parentGroupId) => run((db) => listChildGroups(db, parentGroupId)),
    listUnfinishedPlans: () => run(listUnfinishedPlans),
    listGroups: (query) => run((db) => listGroups(db, query)),
    listAgentsInView: (limit) => run((db) => listAgentsInView(db, limit)),
    listHistory: (query) => run((db) => listHistory(db, query)),
    listUsage: (fromDay, untilDay) => run((db) => listUsage(db, fromDay, untilDay)),
    listGroupUsage: (groupId) => run((db) => listGroupUsage(db, groupId)),
    getNotification: (id) => run((db) => getNotification(db, id)),
    listOpenNotifications: (agentId) => run((db) => listOpenNotifications(db, agentId)),
    listNotifications: (agentId, limit) => run((db) => listNotifications(db, agentId, limit)),
    listAlerts: (query) => run((db) => listAlerts(db, query)),
    listDueAlerts: (now, limit, target) => run((db) => listDueAlerts(db, now, limit, target)),
    nextAlertDue: (after, target) => run((db) => nextAlertDue(db, after, target)),
    getAlertCursor: () => run(getAlertCursor),
    listHealth: () => run(listHealth),
    getModels: (runner) => run((db) => getModels(db, runner)),
    listRunnerProblems: () => run(listRunnerProblems),
    getRunnerProblem: (runner) => run((db) => getRunnerProblem(db, runner)),
    findAgentByTokenHash: (hash) => run((db) => findAgentByTokenHash(db, hash)),
    listSavedTemplates: () => run(listSavedTemplates),
    listEvents: (afterSeq, limit) => run((db) => listEvents(db, afterSeq, limit)),
    lastEventSeq: () => run(lastEventSeq),
  };
}
