import type { AgentId } from "../ids.ts";
import { Refusal } from "../refusal.ts";
import type { Magentic } from "./group.ts";
import { NO_LEDGER, type Ledger } from "./ledger.ts";

/** After this many stalls in a row the orchestrator is advised to replan … */
export const STALLS_TO_REPLAN = 3;
/** … and after two more to ask a person and report. */
export const STALLS_TO_GIVE_UP = 5;

export function startMagentic(maxIterations: number, availableRoles: readonly string[]): Magentic {
  return {
    maxIterations,
    availableRoles,
    iterations: 0,
    stalls: 0,
    ledgerAt: 0,
    fingerprint: null,
    lastAgents: [],
    ledger: NO_LEDGER,
  };
}

/** The requested iteration, and how the last one went. */
export type Iteration = {
  readonly fingerprint: string;
  readonly agents: readonly AgentId[];
  readonly didLastSucceed: boolean;
};

export function requireIterationLeft(magentic: Magentic): void {
  if (magentic.iterations < magentic.maxIterations) return;
  throw new Refusal("MAX_ITERATIONS_REACHED", {
    en: [
      `All ${magentic.maxIterations} iterations are used up.`,
      "Delegate no more: evaluate what you have and call report_result.",
    ],
    ja: [
      `反復 ${magentic.maxIterations} 回をすべて使いました。`,
      "これ以上は任せずに、手元の結果を評価して report_result を呼んでください。",
    ],
  });
}

/**
 * Counts one `run_agents` or `run_sequential` by the orchestrator or inside its child groups. If
 * the last iteration has no progress ledger, the server judges it: no agent succeeded, or the same
 * roles and prompts again, is a stall.
 */
export function nextIteration(magentic: Magentic, iteration: Iteration): Magentic {
  requireIterationLeft(magentic);
  const wasJudged = magentic.iterations === 0 || magentic.ledgerAt === magentic.iterations;
  const isStalled = !iteration.didLastSucceed || magentic.fingerprint === iteration.fingerprint;
  return {
    ...magentic,
    iterations: magentic.iterations + 1,
    fingerprint: iteration.fingerprint,
    lastAgents: iteration.agents,
    stalls: wasJudged ? magentic.stalls : isStalled ? magentic.stalls + 1 : 0,
  };
}

/**
 * The orchestrator judges its own progress in the ledger; only the first ledger of an iteration
 * counts.
 */
export function withLedger(magentic: Magentic, change: Partial<Ledger>): Magentic {
  const ledger = { ...magentic.ledger, ...change };
  const { progress } = change;
  if (!progress || magentic.ledgerAt === magentic.iterations) return { ...magentic, ledger };
  const isStalled = progress.inLoop.answer || !progress.progressMade.answer;
  return {
    ...magentic,
    ledger,
    ledgerAt: magentic.iterations,
    stalls: isStalled ? magentic.stalls + 1 : 0,
  };
}

export type Advice = "replan" | "give_up";

/** The advice for the orchestrator when its number of stalls has changed. */
export function adviceBetween(before: number, after: number): Advice | null {
  if (after <= before) return null;
  if (after >= STALLS_TO_GIVE_UP) return "give_up";
  return after === STALLS_TO_REPLAN ? "replan" : null;
}

export const ADVICE_TEXT: Record<Advice, string> = {
  replan:
    "進展がありません。計画を立て直してください（update_ledger の task を書き直し、別の方法で委任する）。/ No progress: replan, rewrite the task ledger, and delegate differently.",
  give_up:
    "立て直しても進展がありません。これ以上委任せず、人の判断が必要だと report_result で報告してください。/ Still no progress: stop delegating, and report with report_result that a person must decide.",
};
