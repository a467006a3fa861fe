import type { Adoption, Observation } from "../../../src/app/ports/supervisor.ts";
import { NO_PROGRESS, type AgentProgress } from "../../../src/domain/agents/progress.ts";
import type { AgentId } from "../../../src/domain/ids.ts";

export type Entry = {
  readonly agentId: AgentId;
  readonly attempt: number;
  readonly process: Adoption["process"];
  readonly progress: AgentProgress;
  readonly outcome: "ended" | "start_failed" | "not_launched" | null;
  readonly exitCode: number | null;
  readonly stderrTail: string;
  readonly survivors: readonly string[];
  readonly filesLost?: boolean;
  readonly unreadable?: string | undefined;
  readonly error: string | null;
  readonly limits: number;
};

export type Ledger = ReturnType<typeof aLedger>;

/** Stands in for the database: the last state of each attempt, and all observations. */
export function aLedger() {
  const entries = new Map<string, Entry>();
  const told: Observation[] = [];
  const violations: string[] = [];

  function take(observation: Observation): void {
    const { agentId, attempt, type } = observation;
    const key = `${agentId}.${attempt}`;
    const entry = entries.get(key) ?? anEntry(agentId, attempt);
    told.push(observation);
    if (entry.outcome !== null) violations.push(`${key}: ${type} after ${entry.outcome}`);
    if ("progress" in observation) {
      if (entry.process === null) violations.push(`${key}: ${type} before started`);
      if (observation.progress.offset < entry.progress.offset) violations.push(`${key}: backwards`);
    }
    entries.set(key, { ...entry, ...changesOf(observation, entry) });
  }

  return {
    entries,
    told,
    violations,
    observe: async (batch: readonly Observation[]) => batch.forEach(take),
    get(agentId: AgentId, attempt = 1): Entry {
      return entries.get(`${agentId}.${attempt}`) ?? anEntry(agentId, attempt);
    },
    adoption(agentId: AgentId, attempt = 1): Adoption {
      const { process, progress } = this.get(agentId, attempt);
      const seen = { progress, startedAt: Date.now(), workingDirectory: "/", process };
      return { agentId, attempt, runner: "rehearsal", ...seen };
    },
  };
}

function anEntry(agentId: AgentId, attempt: number): Entry {
  return {
    agentId,
    attempt,
    process: null,
    progress: NO_PROGRESS,
    outcome: null,
    exitCode: null,
    stderrTail: "",
    survivors: [],
    error: null,
    limits: 0,
  };
}

function changesOf(observation: Observation, entry: Entry): Partial<Entry> {
  switch (observation.type) {
    case "started": {
      const { pid, pidStart: start, bootId } = observation;
      return { process: { pid, start, bootId } };
    }
    case "progress":
      return { progress: observation.progress };
    case "ended": {
      const { progress, exitCode, stderrTail, survivors, unreadable } = observation;
      const { filesLost = false } = observation;
      return { outcome: "ended", progress, exitCode, stderrTail, survivors, filesLost, unreadable };
    }
    case "start_failed":
      return { outcome: "start_failed", error: observation.error };
    case "not_launched":
      return { outcome: "not_launched" };
    case "spool_limit_reached":
      return { limits: entry.limits + 1 };
  }
}
