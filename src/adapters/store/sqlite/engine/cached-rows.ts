import type { Queries, UnitOfWork } from "../../../../app/ports/store.ts";
import type { Agent } from "../../../../domain/agents/agent.ts";
import type { Notification } from "../../../../domain/notifications/notification.ts";
import type { ProcessDraft } from "../../../../domain/tasks/draft.ts";
import type { Execution } from "../../../../domain/tasks/execution.ts";
import type { Task } from "../../../../domain/tasks/task.ts";
import { createRowCache, type RowCache } from "./row-cache.ts";

const MAX_ROWS = 1_000;
/** For rows with long texts. */
const MAX_LONG_ROWS = 50;

/** The rows that every call of an agent needs: the agent, its open stops, and its work. */
export type RowCaches = ReturnType<typeof createRowCaches>;

export function createRowCaches() {
  return {
    agents: createRowCache<Agent | undefined>(MAX_ROWS),
    agentsByToken: createRowCache<Agent | undefined>(MAX_ROWS),
    stopNotifications: createRowCache<readonly Notification[]>(MAX_ROWS),
    openNotifications: createRowCache<readonly Notification[]>(MAX_ROWS),
    executions: createRowCache<Execution | undefined>(MAX_LONG_ROWS),
    processes: createRowCache<ProcessDraft | undefined>(MAX_LONG_ROWS),
    tasks: createRowCache<Task | undefined>(MAX_LONG_ROWS),
  };
}

type CachedQuery =
  | "getAgent"
  | "findAgentByTokenHash"
  | "listStopNotifications"
  | "listOpenNotifications"
  | "getExecution"
  | "getProcessDraft"
  | "getTask";

/** `admit` throws where a query is not allowed, even if the row is cached. */
export function cachedQueries(
  caches: RowCaches,
  queries: Pick<Queries, CachedQuery>,
  admit: () => void,
): Pick<Queries, CachedQuery> {
  const read = async <V>(cache: RowCache<V>, key: string, query: () => Promise<V>): Promise<V> => {
    admit();
    return cache.read(key, query);
  };
  const {
    agents,
    agentsByToken,
    stopNotifications,
    openNotifications,
    executions,
    processes,
    tasks,
  } = caches;
  return {
    getAgent: (id) => read(agents, id, () => queries.getAgent(id)),
    findAgentByTokenHash: (hash) =>
      read(agentsByToken, hash, () => queries.findAgentByTokenHash(hash)),
    listStopNotifications: (id) =>
      read(stopNotifications, id, () => queries.listStopNotifications(id)),
    listOpenNotifications: (id) =>
      read(openNotifications, id, () => queries.listOpenNotifications(id)),
    getExecution: (id) => read(executions, id, () => queries.getExecution(id)),
    getProcessDraft: (id) => read(processes, id, () => queries.getProcessDraft(id)),
    getTask: (id) => read(tasks, id, () => queries.getTask(id)),
  };
}

type Invalidating =
  | "insertAgent"
  | "updateAgent"
  | "insertNotification"
  | "updateNotification"
  | "insertExecution"
  | "updateExecution"
  | "insertProcessDraft"
  | "insertTask"
  | "updateTask"
  | "purgeHistory";

/** Every change of a cached row. */
export function invalidatingChanges(
  caches: RowCaches,
  unit: Pick<UnitOfWork, Invalidating>,
): Pick<UnitOfWork, Invalidating> {
  const {
    agents,
    agentsByToken,
    stopNotifications,
    openNotifications,
    executions,
    processes,
    tasks,
  } = caches;
  const invalidateAgent = ({ id, tokenHash }: Agent) => {
    agents.invalidate(id);
    if (tokenHash !== null) agentsByToken.invalidate(tokenHash);
  };
  const writeAgent = (agent: Agent) => {
    agents.write(agent.id, agent);
    const { tokenHash, process } = agent;
    if (tokenHash === null || process === "ended" || process === "capturing") return;
    agentsByToken.write(tokenHash, agent);
  };
  const invalidateNotices = ({ agentId }: Notification) => {
    stopNotifications.invalidate(agentId);
    openNotifications.invalidate(agentId);
  };
  return {
    insertAgent(agent, prompt) {
      invalidateAgent(agent);
      return unit.insertAgent(agent, prompt);
    },
    async updateAgent(next, expected) {
      invalidateAgent(expected);
      invalidateAgent(next);
      const agent = await unit.updateAgent(next, expected);
      writeAgent(agent);
      return agent;
    },
    insertNotification(notification) {
      invalidateNotices(notification);
      return unit.insertNotification(notification);
    },
    updateNotification(next, expected) {
      invalidateNotices(expected);
      return unit.updateNotification(next, expected);
    },
    insertExecution(execution) {
      executions.invalidate(execution.id);
      return unit.insertExecution(execution);
    },
    async updateExecution(next, expected) {
      executions.invalidate(expected.id);
      const execution = await unit.updateExecution(next, expected);
      executions.write(execution.id, execution);
      return execution;
    },
    insertProcessDraft(draft) {
      processes.invalidate(draft.id);
      return unit.insertProcessDraft(draft);
    },
    insertTask(task) {
      tasks.invalidate(task.id);
      return unit.insertTask(task);
    },
    async updateTask(next, expected) {
      tasks.invalidate(expected.id);
      const task = await unit.updateTask(next, expected);
      tasks.write(task.id, task);
      return task;
    },
    purgeHistory(before, limit) {
      for (const cache of Object.values(caches)) cache.invalidateAll();
      return unit.purgeHistory(before, limit);
    },
  };
}

export function settle(caches: RowCaches, isCommitted: boolean): void {
  for (const cache of Object.values(caches)) cache.settle(isCommitted);
}

/** A part of the open transaction was rolled back; it is not known which rows. */
export function dropWritten(caches: RowCaches): void {
  for (const cache of Object.values(caches)) cache.dropWritten();
}
