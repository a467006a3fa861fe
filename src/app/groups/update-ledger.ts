import { applyToGroup, type Magentic } from "../../domain/groups/group.ts";
import type { Ledger } from "../../domain/groups/ledger.ts";
import { ADVICE_TEXT, adviceBetween, withLedger } from "../../domain/groups/magentic.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { advise } from "./count-iteration.ts";
import { findMagentic, type MagenticGroup } from "./find-magentic.ts";
import { requireOwnTree } from "./require-own-tree.ts";

export type UpdateLedger = {
  readonly groupId: string | null;
  readonly ledger: Partial<Ledger>;
};

export type LedgerUpdated = { readonly magentic: Magentic; readonly advice: string | null };

/** Stores the orchestrator's ledger; the daemon counts stalls from it. */
export async function updateLedger(
  core: Core,
  identity: Identity,
  input: UpdateLedger,
): Promise<LedgerUpdated> {
  return core.store.transaction(async (unit) => {
    const root = await requireRoot(unit, identity, input.groupId);
    const magentic = withLedger(root.magentic, input.ledger);
    await unit.updateGroup(applyToGroup(root, "ledger_updated", { magentic }), root);
    await unit.emit({
      type: "magentic:ledger_updated",
      groupId: root.id,
      agentId: root.orchestratorAgentId,
      data: { ledger: magentic.ledger, iterations: magentic.iterations, stalls: magentic.stalls },
      at: core.clock.now(),
    });
    const before = root.magentic.stalls;
    await advise(core, unit, root, before, magentic.stalls);
    const advice = adviceBetween(before, magentic.stalls);
    return { magentic, advice: advice === null ? null : ADVICE_TEXT[advice] };
  });
}

async function requireRoot(
  unit: UnitOfWork,
  identity: Identity,
  groupId: string | null,
): Promise<MagenticGroup> {
  const own = identity.kind === "agent" ? await unit.getAgent(identity.agentId) : undefined;
  const group = await unit.getGroup(groupId ?? own?.groupId ?? "");
  const root = group && (await findMagentic(unit, group));
  if (!group || !root) {
    throw new Refusal("NOT_ORCHESTRATED", {
      en: [
        "There is no magentic task here whose ledger could be updated.",
        "Give the groupId that run_magentic returned.",
      ],
      ja: [
        "台帳を更新できるオーケストレーションがありません。",
        "run_magentic が返した groupId を指定してください。",
      ],
    });
  }
  await requireOwnTree(unit, identity, root, group);
  return root;
}
