import { type AlertKind, type AlertSubject, needsPerson } from "./alert.ts";
import { afterQuietHours, type QuietHours } from "./quiet-hours.ts";

/** Which alerts go to which targets, for which people, and when. */
export type AlertRule = {
  readonly on: readonly AlertKind[];
  readonly to: readonly string[];
  readonly for: "requester" | "all" | readonly string[];
  readonly quietHours: readonly QuietHours[];
  /** Alerts are collected for this long and sent together; 0: each is sent at once. */
  readonly digestMs: number;
  /** What needs a person is sent at once, also in quiet hours. */
  readonly urgent: boolean;
};

export type PlannedAlert = {
  readonly target: string;
  readonly recipients: readonly string[] | null;
  readonly dueAt: number;
};

export type PlanAlerts = {
  readonly now: number;
  /** The people who stand for a requester that is not known. */
  readonly substitutes: readonly string[];
  /** When the alerts that wait for this target are sent; undefined: none waits. */
  readonly nextDue: (target: string) => Promise<number | undefined>;
};

/** One alert per target: where two rules name the same target, the earlier time counts. */
export async function planAlerts(
  rules: readonly AlertRule[],
  subject: Pick<AlertSubject, "kind" | "requester">,
  { now, substitutes, nextDue }: PlanAlerts,
): Promise<readonly PlannedAlert[]> {
  const planned = new Map<string, PlannedAlert>();
  for (const rule of rules) {
    if (!rule.on.includes(subject.kind)) continue;
    const requesters = subject.requester === null ? substitutes : [subject.requester];
    for (const target of new Set(rule.to.flatMap((each) => addressed(each, requesters)))) {
      const dueAt = dueOf(rule, subject.kind, now, await nextDue(target));
      const recipients = recipientsOf(rule, requesters);
      const known = planned.get(target);
      planned.set(target, {
        target,
        dueAt: Math.min(dueAt, known?.dueAt ?? dueAt),
        recipients: known ? union(known.recipients, recipients) : recipients,
      });
    }
  }
  return [...planned.values()];
}

function dueOf(rule: AlertRule, kind: AlertKind, now: number, next: number | undefined): number {
  if (rule.urgent && needsPerson(kind)) return now;
  const collected = rule.digestMs === 0 ? now : Math.min(now + rule.digestMs, next ?? Infinity);
  return afterQuietHours(rule.quietHours, collected);
}

/** Each person is a target of their own, with messages and retries of their own. */
function addressed(target: string, requesters: readonly string[]): readonly string[] {
  if (target !== "slack:requester") return [target];
  return requesters.map((id) => `slack:person:${id}`);
}

function recipientsOf(rule: AlertRule, requesters: readonly string[]): readonly string[] | null {
  if (rule.for === "all") return null;
  return rule.for === "requester" ? requesters : rule.for;
}

function union(one: readonly string[] | null, other: readonly string[] | null) {
  return one === null || other === null ? null : [...new Set([...one, ...other])];
}
