import type { Queries } from "../../../app/ports/store.ts";
import {
  countByProcess,
  countUnsettled,
  listLiveAgents,
  listWaitingAgents,
} from "./agent-queues.ts";
import { findAgentByTokenHash, getAgent, getAgents } from "./agents.ts";
import { lastEventSeq, listEvents } from "./events.ts";
import { getGroup } from "./groups.ts";
import { listAgents } from "./list-agents.ts";
import { getProgress } from "./progress.ts";
import { getPrompt } from "./prompts.ts";
import { getReport, getResult } from "./results.ts";
import type { Db } from "./tables.ts";

/** Gives the connection to use, or refuses to; every call passes here. */
export type Run = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

export function createQueries(run: Run): Queries {
  return {
    getGroup: (id) => run((db) => getGroup(db, id)),
    getAgent: (id) => run((db) => getAgent(db, id)),
    getAgents: (ids) => run((db) => getAgents(db, ids)),
    getProgress: (id) => run((db) => getProgress(db, id)),
    getPrompt: (id) => run((db) => getPrompt(db, id)),
    getReport: (id) => run((db) => getReport(db, id)),
    getResult: (id) => run((db) => getResult(db, id)),
    listAgents: (query) => run((db) => listAgents(db, query)),
    listWaitingAgents: (limit, except) => run((db) => listWaitingAgents(db, limit, except)),
    listLiveAgents: () => run(listLiveAgents),
    countUnsettled: (groupId) => run((db) => countUnsettled(db, groupId)),
    countByProcess: () => run(countByProcess),
    findAgentByTokenHash: (hash) => run((db) => findAgentByTokenHash(db, hash)),
    listEvents: (afterSeq, limit) => run((db) => listEvents(db, afterSeq, limit)),
    lastEventSeq: () => run(lastEventSeq),
  };
}
