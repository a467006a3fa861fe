import { FIRST_STEPS, type FirstStep } from "../contract/shapes/home.ts";
import type { Execution } from "../domain/tasks/execution.ts";
import type { Task } from "../domain/tasks/task.ts";
import type { Core, Identity } from "./core.ts";
import { actorOf } from "./people/require-person.ts";
import { viewRunners } from "./view-system.ts";

const RECENT = 8;
/** A person with more audit entries than this has long done the first steps. */
const AUDITED = 500;
const AGENTS = 50;
const CLIENT = "main";

export type RecentTask = { readonly task: Task; readonly execution: Execution | undefined };

export type Home = {
  readonly recent: readonly RecentTask[];
  readonly firstSteps: readonly { readonly id: FirstStep; readonly done: boolean }[];
  /** The name of the MCP client that was last seen, if it said it. */
  readonly client: string | null;
};

/** The newest tasks with their results, and which of the first steps are done. */
export async function viewHome(core: Core, identity: Identity): Promise<Home> {
  const [recent, done] = await Promise.all([recentTasks(core), stepsDone(core, identity)]);
  return {
    recent,
    firstSteps: FIRST_STEPS.map((id) => ({ id, done: done[id] })),
    client: core.seenClients.last()?.name || null,
  };
}

async function recentTasks({ store }: Core): Promise<readonly RecentTask[]> {
  const { tasks } = await store.listTasks({ limit: RECENT });
  return Promise.all(
    tasks.map(async (task) => ({
      task,
      execution: task.executionId === null ? undefined : await store.getExecution(task.executionId),
    })),
  );
}

async function stepsDone(core: Core, identity: Identity): Promise<Record<FirstStep, boolean>> {
  const [counts, did, client, runners] = await Promise.all([
    core.store.countTasks(),
    deedsOf(core, identity),
    hasMetClient(core),
    viewRunners(core),
  ]);
  return {
    task: counts.completed > 0,
    approve: did.has("approval.decided") || did.has("approval.voted"),
    block: did.has("task.blocked") && did.has("task.unblocked"),
    client,
    cli: runners.some(({ id, command }) => id !== "rehearsal" && command !== null),
    team: core.people.isEnabled || core.settings.hasSlack,
  };
}

/** What this person has done, from the audit. */
async function deedsOf(core: Core, identity: Identity): Promise<ReadonlySet<string>> {
  const { entries } = await core.store.listAudit({ actor: actorOf(identity), limit: AUDITED });
  const did = new Set(entries.map(({ action }) => action));
  if (entries.length < AUDITED) return did;
  return did.add("approval.decided").add("task.blocked").add("task.unblocked");
}

/** Agents without a task are started by MCP clients only. */
async function hasMetClient(core: Core): Promise<boolean> {
  if (core.seenClients.last()) return true;
  const [{ agents }, { entries }] = await Promise.all([
    core.store.listAgents({ limit: AGENTS }),
    core.store.listAudit({ actor: CLIENT, limit: 1 }),
  ]);
  return entries.length > 0 || agents.some(({ agent }) => agent.taskId === null);
}
