import type { Core } from "../../app/core.ts";
import type { AppEvent } from "../../contract/events/events.ts";
import type { Locale } from "../../domain/locale.ts";
import { roleTexts } from "../../domain/roles/role-texts.ts";
import type { TaskStatus } from "../../domain/tasks/task.ts";
import {
  type Facts,
  narrateEvent,
  NARRATED_EVENTS,
  type NarratedEvent,
  type Narration,
} from "../../doors/cli/serve/narrate-event.ts";

export type Narrate = Narration & {
  readonly locale: Locale;
  readonly print: (line: string) => void;
};

/** Prints a line for what happens from now on, in the order in which it happens. */
export function startNarration(core: Core, narrate: Narrate): { stop(): Promise<void> } {
  const statuses = new Map<string, TaskStatus>();
  let last = Promise.resolve();
  async function tell(event: NarratedEvent, statusBefore: TaskStatus | undefined): Promise<void> {
    const facts = await factsOf(core, event, narrate.locale);
    const line = narrateEvent(event, { ...facts, statusBefore }, narrate);
    if (line !== undefined) narrate.print(line);
  }
  const unsubscribe = core.events.onAny((event, id) => {
    // Progress of agents is published too, and is not stored.
    if (id === null || !isNarrated(event)) return;
    const statusBefore = remember(statuses, event);
    last = last
      .then(() => tell(event, statusBefore))
      .catch((error: unknown) => {
        core.log.error("An event could not be shown.", { type: event.type, error: String(error) });
      });
  });
  return {
    async stop() {
      unsubscribe();
      await last;
    },
  };
}

function isNarrated(event: AppEvent): event is NarratedEvent {
  return NARRATED_EVENTS.some((type) => type === event.type);
}

/** Returns the status that the task had before. Ended tasks are forgotten, unless they are retried. */
function remember(statuses: Map<string, TaskStatus>, event: NarratedEvent): TaskStatus | undefined {
  if (event.type !== "task:created" && event.type !== "task:updated") return undefined;
  const { taskId, status } = event.data;
  const before = statuses.get(taskId);
  if (status === "completed" || status === "cancelled") statuses.delete(taskId);
  else statuses.set(taskId, status);
  return before;
}

async function factsOf(core: Core, event: NarratedEvent, locale: Locale): Promise<Facts> {
  if (event.type === "agent:status_update" || event.type === "agent:completed") {
    const agent = await core.store.getAgent(event.agentId);
    const role = agent && (core.roles.get(agent.role) ?? core.internalRoles.get(agent.role));
    return role ? { role: roleTexts(role, locale).name } : {};
  }
  const { taskId } = event.data;
  const task = taskId === null ? undefined : await core.store.getTask(taskId);
  return task ? { task } : {};
}
