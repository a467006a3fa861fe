import type { UnitOfWork } from "../../../../app/ports/store.ts";
import { shrinkView } from "../agents/agent-views.ts";
import { insertAgent, updateAgent } from "../agents/agents.ts";
import { putProgress } from "../agents/progress.ts";
import { purgeHistory } from "../agents/purge-history.ts";
import { putReport, putResult } from "../agents/results.ts";
import { addUsage } from "../agents/usage.ts";
import { insertAlert, putAlertCursor, updateAlert } from "../alerts/alerts.ts";
import { insertGroup, updateGroup } from "../groups/groups.ts";
import { putHealth, putModels } from "../health/health.ts";
import { deleteRunnerProblem, putRunnerProblem } from "../health/runner-problems.ts";
import { insertNotification, updateNotification } from "../notifications/notifications.ts";
import { deleteSavedTemplate, putSavedTemplate } from "../templates/saved-templates.ts";
import { createQueries, type Run } from "./queries.ts";
import { createScheduleChanges } from "./schedule-store.ts";
import { createSlackChanges } from "./slack-store.ts";
import { createTaskChanges } from "./task-changes.ts";
import { createWorkspaceChanges } from "./workspace-store.ts";

/** Reads and writes rows; events and callbacks of a transaction are in `transactions.ts`. */
export type RowsOfUnit = Omit<UnitOfWork, "emit" | "emitTransient" | "afterCommit">;

export function createUnitOfWork(run: Run): RowsOfUnit {
  return {
    ...createQueries(run),
    ...createTaskChanges(run),
    ...createSlackChanges(run),
    ...createScheduleChanges(run),
    ...createWorkspaceChanges(run),
    insertGroup: (group) => run((db) => insertGroup(db, group)),
    insertAgent: (agent, prompt) => run((db) => insertAgent(db, agent, prompt)),
    updateGroup: (next, expected) => run((db) => updateGroup(db, next, expected)),
    updateAgent: (next, expected) => run((db) => updateAgent(db, next, expected)),
    putProgress: (id, progress) => run((db) => putProgress(db, id, progress)),
    putReport: (id, report) => run((db) => putReport(db, id, report)),
    putResult: (id, result) => run((db) => putResult(db, id, result)),
    insertNotification: (notification) => run((db) => insertNotification(db, notification)),
    updateNotification: (next, expected) => run((db) => updateNotification(db, next, expected)),
    insertAlert: (alert) => run((db) => insertAlert(db, alert)),
    updateAlert: (next, expected) => run((db) => updateAlert(db, next, expected)),
    putAlertCursor: (seq) => run((db) => putAlertCursor(db, seq)),
    putHealth: (record) => run((db) => putHealth(db, record)),
    putModels: (record) => run((db) => putModels(db, record)),
    putRunnerProblem: (problem) => run((db) => putRunnerProblem(db, problem)),
    deleteRunnerProblem: (runner) => run((db) => deleteRunnerProblem(db, runner)),
    putSavedTemplate: (template, overwrite) =>
      run((db) => putSavedTemplate(db, template, overwrite)),
    deleteSavedTemplate: (id) => run((db) => deleteSavedTemplate(db, id)),
    addUsage: (row) => run((db) => addUsage(db, row)),
    // Overridden where several servers share the database.
    retryDeadJobs: async () => [],
    lockQueue: async () => undefined,
    holdLease: async () => true,
    holdEnd: async () => true,
    shrinkView: (keep) => run((db) => shrinkView(db, keep)),
    purgeHistory: (before, limit) => run((db) => purgeHistory(db, before, limit)),
  };
}
