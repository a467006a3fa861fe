import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { actorOf, requirePerson } from "../people/require-person.ts";
import type { WorkerRow } from "../ports/workers.ts";
import { requireWorkers } from "./require-workers.ts";

/** Its token dies, its connection ends with the next beat, and its agents are lost. */
export async function revokeWorker(
  core: Core,
  identity: Identity,
  name: string,
): Promise<WorkerRow> {
  requirePerson(identity, "admin");
  const workers = requireWorkers(core);
  const found = (await workers.list()).find((each) => each.name === name);
  if (!found || !(await workers.revoke(found.id))) throw notFound(name);
  await core.store.transaction((unit) =>
    recordAudit(core, unit, {
      actor: actorOf(identity),
      action: "worker.revoked",
      subject: found.id,
      data: { name },
    }),
  );
  return found;
}

function notFound(name: string): Refusal {
  return new Refusal("WORKER_NOT_FOUND", {
    en: [`There is no worker ${name}.`, "`kuromajutsu worker list` shows them."],
    ja: [`ワーカー ${name} はありません。`, "`kuromajutsu worker list` で一覧を確認できます。"],
  });
}
