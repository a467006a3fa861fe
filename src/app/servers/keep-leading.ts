import type { Core } from "../core.ts";
import type { Servers } from "../ports/servers.ts";
import type { LeaderTerm } from "./leadership.ts";

/** How soon a server leads after the one that did has stopped, or its lease has ended. */
const LOOK_EVERY_MS = 1_000;
const EXTENSIONS_PER_LEASE = 3;
/**
 * The part of its lease after which a leader that could not extend it stops. The rest is for effects
 * that were begun just before.
 */
const LEADS_FOR = 5 / 6;

export type KeepLeading = {
  readonly servers: Pick<Servers, "id" | "lead">;
  readonly leaseMs: number;
  readonly term: LeaderTerm;
  /** This server leads, and did not before. */
  readonly onLeads: () => void;
};

/** Leads while no other server does. */
export function keepLeading(
  { log }: Pick<Core, "log">,
  { servers, leaseMs, term, onLeads }: KeepLeading,
): { stop(): Promise<void> } {
  const extendMs = leaseMs / EXTENSIONS_PER_LEASE;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let didLead = false;

  async function look(): Promise<void> {
    const since = term.now();
    // The beat reports that the database does not answer.
    const leads = await servers.lead(leaseMs).catch(() => false);
    if (isStopped) return;
    if (leads) term.extend(since, leaseMs * LEADS_FOR);
    else term.end();
    // An answer that was late extends nothing.
    note(term.isLeader());
  }
  function note(leads: boolean): void {
    if (leads === didLead) return;
    didLead = leads;
    log.info(leads ? "This server leads now." : "This server does not lead any more.", {
      serverId: servers.id,
    });
    if (leads) onLeads();
  }
  async function round(): Promise<void> {
    const begun = performance.now();
    await look();
    if (isStopped) return;
    const everyMs = term.isLeader() ? extendMs : Math.min(LOOK_EVERY_MS, extendMs);
    timer = setTimeout(next, Math.max(0, everyMs - (performance.now() - begun)));
    timer.unref();
  }
  const next = (): void => void (running = round());
  let running = round();

  return {
    async stop() {
      isStopped = true;
      term.end();
      clearTimeout(timer);
      await running;
    },
  };
}
