import { planAlerts } from "../../domain/alerts/alert-rules.ts";
import type { AlertSubject } from "../../domain/alerts/alert.ts";
import { LOCAL_PERSON } from "../../domain/people/person.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { subjectsOf } from "./subjects-of.ts";

const EVENTS_AT_A_TIME = 500;

/**
 * Turns stored events into alerts. The cursor moves in the same transaction, so an event is neither
 * lost nor read twice, wherever the daemon is killed. Without rules there is no cursor: rules that are
 * added later begin with the next event and not with the history.
 */
export async function recordAlerts(core: Core): Promise<void> {
  if (core.settings.alerts.rules.length === 0) return forgetCursor(core);
  for (let isMore = true; isMore;) {
    const settled = await core.store.settledEventSeq();
    isMore = await core.store.transaction((unit) => recordSome(core, unit, settled));
  }
}

async function forgetCursor({ store }: Core): Promise<void> {
  if ((await store.getAlertCursor()) === undefined) return;
  await store.transaction((unit) => unit.putAlertCursor(undefined));
}

/** Reads no event after `settled`: the cursor would pass one that is committed a little later. */
async function recordSome(core: Core, unit: UnitOfWork, settled: number): Promise<boolean> {
  const cursor = await unit.getAlertCursor();
  if (cursor === undefined) {
    await unit.putAlertCursor(await unit.lastEventSeq());
    return false;
  }
  const found = await unit.listEvents(cursor, EVENTS_AT_A_TIME);
  const events = found.filter(({ seq }) => seq <= settled);
  for (const event of events) {
    for (const subject of await subjectsOf(unit, event)) await insertAlerts(core, unit, subject);
  }
  const last = events.at(-1)?.seq;
  if (last !== undefined) await unit.putAlertCursor(last);
  return events.length === EVENTS_AT_A_TIME;
}

async function insertAlerts(core: Core, unit: UnitOfWork, found: AlertSubject): Promise<void> {
  const now = core.clock.now();
  const subject = { ...found, requester: knownRequester(core, found.requester) };
  const planned = await planAlerts(core.settings.alerts.rules, subject, {
    now,
    substitutes: substitutesOf(core),
    nextDue: (target) => unit.nextAlertDue(now, target),
  });
  for (const { target, recipients, dueAt } of planned) {
    await unit.insertAlert({
      ...subject,
      id: `alr-${core.random.ulid(now)}`,
      target,
      recipients,
      status: "pending",
      dueAt,
      messageId: null,
      tries: 0,
      error: null,
      createdAt: now,
      endedAt: null,
      version: 1,
    });
  }
}

/** null: an agent, a client without a token, or a person who was removed. */
function knownRequester({ people }: Pick<Core, "people">, requester: string | null): string | null {
  if (!people.isEnabled) return LOCAL_PERSON.id;
  return requester !== null && people.find(requester) ? requester : null;
}

function substitutesOf({ people }: Pick<Core, "people">): readonly string[] {
  if (!people.isEnabled) return [LOCAL_PERSON.id];
  return people.list().flatMap(({ id, role }) => (role === "admin" ? [id] : []));
}
