import { truncate } from "../../base/truncate.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";

/** The audit names no more jobs than this; it says how many there were. */
const NAMED_JOBS = 20;
const ID_CHARS = 60;

/**
 * A person puts jobs that were given up back into the queue: one, or all. Any server runs them within
 * seconds. Returns how many there were; two people at once put each job back once.
 */
export async function retryDeadJobs(
  core: Core,
  identity: Identity,
  jobId?: string,
): Promise<number> {
  const person = requirePerson(identity, "operator");
  return core.store.transaction(async (unit) => {
    const retried = await unit.retryDeadJobs(jobId);
    if (retried.length === 0 && jobId !== undefined) throw notFound(jobId);
    if (retried.length > 0) {
      await recordAudit(core, unit, {
        actor: person.id,
        action: "job.retried",
        subject: jobId ?? "all",
        data: {
          count: retried.length,
          jobs: retried.slice(0, NAMED_JOBS).map(({ kind, subjectId }) => `${kind} ${subjectId}`),
        },
      });
    }
    return retried.length;
  });
}

function notFound(jobId: string): Refusal {
  const id = truncate(jobId, ID_CHARS);
  return new Refusal("JOB_NOT_FOUND", {
    en: [
      `No job with the id ${id} was given up, or it was tried again already.`,
      "`kuromajutsu jobs` shows those that were given up.",
    ],
    ja: [
      `ID ${id} の、あきらめたジョブはありません。すでに再試行されたのかもしれません。`,
      "あきらめたジョブの一覧は `kuromajutsu jobs` で確認できます。",
    ],
  });
}
