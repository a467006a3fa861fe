import { Refusal } from "../../domain/refusal.ts";
import { WORKER_TOKEN_PREFIX, workerId, type Worker } from "../../domain/workers/worker.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { actorOf, requirePerson } from "../people/require-person.ts";
import { requireWorkers } from "./require-workers.ts";

export type AddWorker = { readonly name: string; readonly labels: readonly string[] | null };

/** The token is returned this once; the database has only its hash. */
export async function addWorker(
  core: Core,
  identity: Identity,
  { name, labels }: AddWorker,
): Promise<{ readonly worker: Worker; readonly token: string }> {
  requirePerson(identity, "admin");
  const workers = requireWorkers(core);
  const now = core.clock.now();
  const worker: Worker = {
    id: workerId(core.random.ulid(now)),
    name,
    allowedLabels: labels,
    createdAt: now,
    createdBy: actorOf(identity),
  };
  const token = `${WORKER_TOKEN_PREFIX}${core.tokens.create()}`;
  if (!(await workers.add(worker, core.tokens.hash(token)))) throw nameTaken(name);
  await core.store.transaction((unit) =>
    recordAudit(core, unit, {
      actor: actorOf(identity),
      action: "worker.added",
      subject: worker.id,
      data: { name, labels },
    }),
  );
  return { worker, token };
}

function nameTaken(name: string): Refusal {
  return new Refusal("WORKER_EXISTS", {
    en: [
      `There is a worker ${name} already.`,
      `Take another name, or revoke it first: \`kuromajutsu worker revoke ${name}\`.`,
    ],
    ja: [
      `ワーカー ${name} はすでにあります。`,
      `別の名前にするか、先に \`kuromajutsu worker revoke ${name}\` で取り消してください。`,
    ],
  });
}
