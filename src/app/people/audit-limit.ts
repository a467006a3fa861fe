import { iso } from "../../contract/shapes/iso.ts";
import type { Core } from "../core.ts";
import { recordAudit, type Audit } from "./audit.ts";

const WINDOW_MS = 60_000;
const SUMMARISE_EVERY_MS = 10_000;
const MAX_NAMED_SUBJECTS = 20;

/** How many refusals of one actor are written per minute, action and code. */
export type AuditQuota = { readonly perSubject: number; readonly inAll: number };

export type Refused = Pick<Audit, "actor" | "action"> & {
  readonly code: string;
  readonly subject: string;
  /** The subject exists: its first attempt is always written, so that invented ids cannot hide it. */
  readonly isKnown: boolean;
};

type Counted = Omit<Refused, "subject" | "isKnown">;

/** Entries that were counted instead of written. */
export type Omitted = Counted & {
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /** Only the first few subjects. */
  readonly subjects: readonly string[];
};

export type AuditLimit = {
  /** False: the entry is only counted, and the next summary contains it. */
  admits(refused: Refused, quota: AuditQuota): boolean;
  /** The counts of minutes that are over, or of all; each is returned once. */
  takeOmitted(which: "over" | "all"): readonly Omitted[];
};

type Window = {
  readonly refused: Counted;
  readonly since: number;
  readonly written: Map<string, number>;
  writtenInAll: number;
  omitted: { count: number; from: number; to: number; subjects: Set<string> } | undefined;
};

/**
 * Rate limit for refused requests in the audit: the first of a minute are written in full, the others
 * are counted and summarised in one entry. The first attempt at something that exists is always
 * written; the number of those is bounded.
 */
export function createAuditLimit({ now }: Pick<Core["clock"], "now">): AuditLimit {
  const windows = new Map<string, Window>();
  const isOver = ({ since }: Window) => Math.abs(now() - since) >= WINDOW_MS;
  let over: Window[] = [];

  function windowFor({ actor, action, code }: Refused): Window {
    const key = JSON.stringify([actor, action, code]);
    const found = windows.get(key);
    if (found && !isOver(found)) return found;
    if (found) over.push(found);
    const refused = { actor, action, code };
    const opened = {
      refused,
      since: now(),
      written: new Map(),
      writtenInAll: 0,
      omitted: undefined,
    };
    windows.set(key, opened);
    return opened;
  }

  return {
    admits(refused, quota) {
      const window = windowFor(refused);
      const sameSubject = window.written.get(refused.subject) ?? 0;
      const isFull = sameSubject >= quota.perSubject || window.writtenInAll >= quota.inAll;
      const isFirstOfKnown = refused.isKnown && sameSubject === 0;
      if (isFull && !isFirstOfKnown) {
        omit(window, refused.subject, now());
        return false;
      }
      window.written.set(refused.subject, sameSubject + 1);
      window.writtenInAll++;
      return true;
    },
    takeOmitted(which) {
      for (const [key, window] of windows) {
        if (which === "over" && !isOver(window)) continue;
        windows.delete(key);
        over.push(window);
      }
      const ended = over;
      over = [];
      return ended.flatMap(({ refused, omitted }) =>
        omitted ? [{ ...refused, ...omitted, subjects: [...omitted.subjects] }] : [],
      );
    },
  };
}

function omit(window: Window, subject: string, at: number): void {
  const omitted = (window.omitted ??= { count: 0, from: at, to: at, subjects: new Set() });
  omitted.count++;
  omitted.to = at;
  if (omitted.subjects.size < MAX_NAMED_SUBJECTS) omitted.subjects.add(subject);
}

/** Writes one summary entry for the refusals that were only counted. */
export async function auditOmitted(core: Core, which: "over" | "all"): Promise<void> {
  for (const { actor, action, code, count, from, to, subjects } of core.auditLimit.takeOmitted(
    which,
  )) {
    const subject = subjects.length === 1 ? (subjects[0] ?? "") : `${subjects.length} or more`;
    const data = { code, repeated: count, from: iso(from), to: iso(to), subjects };
    await core.store
      .transaction((unit) => recordAudit(core, unit, { actor, action, subject, data }))
      .catch((error: unknown) => {
        core.log.error("Repeated refusals could not be audited.", {
          actor,
          action,
          ...data,
          error: String(error),
        });
      });
  }
}

export function startAuditSummaries(core: Core): { readonly stop: () => void } {
  const timer = setInterval(() => void auditOmitted(core, "over"), SUMMARISE_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
