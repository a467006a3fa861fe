import type { UnitOfWork } from "../../../app/ports/store.ts";
import { insertAgent, updateAgent } from "./agents.ts";
import { appendEvent } from "./events.ts";
import { insertGroup, updateGroup } from "./groups.ts";
import { putProgress } from "./progress.ts";
import { createQueries, type Run } from "./queries.ts";
import { putReport, putResult } from "./results.ts";

export function createUnitOfWork(run: Run): UnitOfWork {
  return {
    ...createQueries(run),
    insertGroup: (group) => run((db) => insertGroup(db, group)),
    insertAgent: (agent, prompt) => run((db) => insertAgent(db, agent, prompt)),
    updateGroup: (next, expected) => run((db) => updateGroup(db, next, expected)),
    updateAgent: (next, expected) => run((db) => updateAgent(db, next, expected)),
    putProgress: (id, progress) => run((db) => putProgress(db, id, progress)),
    putReport: (id, report) => run((db) => putReport(db, id, report)),
    putResult: (id, result) => run((db) => putResult(db, id, result)),
    appendEvent: (event) => run((db) => appendEvent(db, event)),
  };
}
