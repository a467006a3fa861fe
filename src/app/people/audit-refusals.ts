import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit, type Audit } from "./audit.ts";
import { namesExisting } from "./names-existing.ts";
import { actorOf } from "./require-person.ts";

const MAX_SUBJECT_CHARS = 200;
/** Enough to see what was attempted; repeated attempts must not fill the disk. */
const QUOTA = { perSubject: 3, inAll: 20 };

export type Attempt = Omit<Audit, "actor"> & {
  readonly identity: Identity;
  /** The ids in the attempt, existing or invented; empty for a tool or route without ids. */
  readonly ids: readonly string[];
};

/** Runs `work`; a refusal is audited. Repeated refusals are counted, and summarised later. */
export async function auditRefusals<T>(
  core: Core,
  { identity, ids, subject, data, ...audit }: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const entry = {
      ...audit,
      actor: actorOf(identity),
      // The sender chose the text, so its length is unbounded.
      subject: subject.slice(0, MAX_SUBJECT_CHARS),
      data: { ...data, code: error.code },
    };
    const refused = {
      ...entry,
      code: error.code,
      subject: subjectWith(subject, ids).slice(0, MAX_SUBJECT_CHARS),
      // If the lookup fails, write the attempt.
      isKnown: await namesExisting(core, ids).catch(() => true),
    };
    if (!core.auditLimit.admits(refused, QUOTA)) throw error;
    await core.store
      .transaction((unit) => recordAudit(core, unit, entry))
      .catch((failed: unknown) => {
        core.log.error("A refusal could not be audited.", { ...entry, error: String(failed) });
      });
    throw error;
  }
}

/** Attempts at different ids are counted separately, even if the subject does not contain the ids. */
function subjectWith(subject: string, ids: readonly string[]): string {
  return [subject, ...ids.filter((id) => !subject.includes(id))].join(" ");
}
