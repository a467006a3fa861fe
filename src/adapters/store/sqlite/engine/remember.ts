import type { Queries, UnitOfWork } from "../../../../app/ports/store.ts";
import type { Agent } from "../../../../domain/agents/agent.ts";
import type { Notification } from "../../../../domain/notifications/notification.ts";
import type { ProcessDraft } from "../../../../domain/tasks/draft.ts";
import type { Execution } from "../../../../domain/tasks/execution.ts";
import type { Task } from "../../../../domain/tasks/task.ts";
import { createMemory, type Memory } from "./memory.ts";

const MANY = 1_000;
/** Their texts may be long. */
const FEW = 50;

/** Of what every call of an agent asks for: who it is, whether it was told to stop, what it works on. */
export type Memories = ReturnType<typeof createMemories>;

export function createMemories() {
  return {
    agents: createMemory<Agent | undefined>(MANY),
    agentsByToken: createMemory<Agent | undefined>(MANY),
    stopNotices: createMemory<readonly Notification[]>(MANY),
    openNotices: createMemory<readonly Notification[]>(MANY),
    executions: createMemory<Execution | undefined>(FEW),
    processes: createMemory<ProcessDraft | undefined>(FEW),
    tasks: createMemory<Task | undefined>(FEW),
  };
}

type Remembered =
  | "getAgent"
  | "findAgentByTokenHash"
  | "listStopNotices"
  | "listOpenNotifications"
  | "getExecution"
  | "getProcessDraft"
  | "getTask";

/** `admit` throws where nobody may ask, whatever is remembered. */
export function recalling(
  memories: Memories,
  queries: Pick<Queries, Remembered>,
  admit: () => void,
): Pick<Queries, Remembered> {
  const recall = async <V>(memory: Memory<V>, key: string, query: () => Promise<V>): Promise<V> => {
    admit();
    return memory.read(key, query);
  };
  const { agents, agentsByToken, stopNotices, openNotices, executions, processes, tasks } =
    memories;
  return {
    getAgent: (id) => recall(agents, id, () => queries.getAgent(id)),
    findAgentByTokenHash: (hash) =>
      recall(agentsByToken, hash, () => queries.findAgentByTokenHash(hash)),
    listStopNotices: (id) => recall(stopNotices, id, () => queries.listStopNotices(id)),
    listOpenNotifications: (id) => recall(openNotices, id, () => queries.listOpenNotifications(id)),
    getExecution: (id) => recall(executions, id, () => queries.getExecution(id)),
    getProcessDraft: (id) => recall(processes, id, () => queries.getProcessDraft(id)),
    getTask: (id) => recall(tasks, id, () => queries.getTask(id)),
  };
}

type Touching =
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

/** Every change of what is remembered. */
export function touching(
  memories: Memories,
  unit: Pick<UnitOfWork, Touching>,
): Pick<UnitOfWork, Touching> {
  const { agents, agentsByToken, stopNotices, openNotices, executions, processes, tasks } =
    memories;
  const touchAgent = ({ id, tokenHash }: Agent) => {
    agents.touch(id);
    if (tokenHash !== null) agentsByToken.touch(tokenHash);
  };
  const writeAgent = (agent: Agent) => {
    agents.write(agent.id, agent);
    const { tokenHash, process } = agent;
    if (tokenHash !== null && process !== "ended") agentsByToken.write(tokenHash, agent);
  };
  const touchNotices = ({ agentId }: Notification) => {
    stopNotices.touch(agentId);
    openNotices.touch(agentId);
  };
  return {
    insertAgent(agent, prompt) {
      touchAgent(agent);
      return unit.insertAgent(agent, prompt);
    },
    async updateAgent(next, expected) {
      touchAgent(expected);
      touchAgent(next);
      const agent = await unit.updateAgent(next, expected);
      writeAgent(agent);
      return agent;
    },
    insertNotification(notification) {
      touchNotices(notification);
      return unit.insertNotification(notification);
    },
    updateNotification(next, expected) {
      touchNotices(expected);
      return unit.updateNotification(next, expected);
    },
    insertExecution(execution) {
      executions.touch(execution.id);
      return unit.insertExecution(execution);
    },
    async updateExecution(next, expected) {
      executions.touch(expected.id);
      const execution = await unit.updateExecution(next, expected);
      executions.write(execution.id, execution);
      return execution;
    },
    insertProcessDraft(draft) {
      processes.touch(draft.id);
      return unit.insertProcessDraft(draft);
    },
    insertTask(task) {
      tasks.touch(task.id);
      return unit.insertTask(task);
    },
    async updateTask(next, expected) {
      tasks.touch(expected.id);
      const task = await unit.updateTask(next, expected);
      tasks.write(task.id, task);
      return task;
    },
    purgeHistory(before, limit) {
      for (const memory of Object.values(memories)) memory.touchAll();
      return unit.purgeHistory(before, limit);
    },
  };
}

export function settle(memories: Memories, isCommitted: boolean): void {
  for (const memory of Object.values(memories)) memory.settle(isCommitted);
}

/** A part of the open transaction was undone; which of what was written, is not told. */
export function forgetWritten(memories: Memories): void {
  for (const memory of Object.values(memories)) memory.forgetWritten();
}
