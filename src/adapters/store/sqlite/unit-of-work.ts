import type { UnitOfWork } from "../../../app/ports/store.ts";
import { shrinkView } from "./agent-views.ts";
import { insertAgent, updateAgent } from "./agents.ts";
import { appendEvent } from "./events.ts";
import { insertGroup, updateGroup } from "./groups.ts";
import { putHealth, putModels } from "./health.ts";
import { insertNotification, updateNotification } from "./notifications.ts";
import { putProgress } from "./progress.ts";
import { purgeHistory } from "./purge-history.ts";
import { createQueries, type Run } from "./queries.ts";
import { putReport, putResult } from "./results.ts";
import { createTaskChanges } from "./task-changes.ts";
import { addUsage } from "./usage.ts";

export function createUnitOfWork(run: Run): UnitOfWork {
  return {
    ...createQueries(run),
    ...createTaskChanges(run),
    insertGroup: (group) => run((db) => insertGroup(db, group)),
    insertAgent: (agent, prompt) => run((db) => insertAgent(db, agent, prompt)),
    updateGroup: (next, expected) => run((db) => updateGroup(db, next, expected)),
    updateAgent: (next, expected) => run((db) => updateAgent(db, next, expected)),
    putProgress: (id, progress) => run((db) => putProgress(db, id, progress)),
    putReport: (id, report) => run((db) => putReport(db, id, report)),
    putResult: (id, result) => run((db) => putResult(db, id, result)),
    insertNotification: (notification) => run((db) => insertNotification(db, notification)),
    updateNotification: (next, expected) => run((db) => updateNotification(db, next, expected)),
    putHealth: (record) => run((db) => putHealth(db, record)),
    putModels: (record) => run((db) => putModels(db, record)),
    addUsage: (row) => run((db) => addUsage(db, row)),
    shrinkView: (keep) => run((db) => shrinkView(db, keep)),
    purgeHistory: (before, limit) => run((db) => purgeHistory(db, before, limit)),
    appendEvent: (event) => run((db) => appendEvent(db, event)),
  };
}
