import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { procfs } from "../../../src/adapters/supervisor/processes/process-table.ts";
import {
  createSupervisor,
  type SupervisorOptions,
} from "../../../src/adapters/supervisor/supervisor.ts";
import type { Launch } from "../../../src/app/ports/supervisor.ts";
import { NO_PROGRESS } from "../../../src/domain/agents/progress.ts";
import type { AgentId } from "../../../src/domain/ids.ts";
import { aTempDir } from "../tmp-dir.ts";
import { fakeRunner } from "./fake-runner.ts";
import { aLedger, type Ledger } from "./ledger.ts";

export const FAKE_AGENT = join(import.meta.dirname, "fake-agent.sh");
export const LAUNCHER = join(
  import.meta.dirname,
  "../../../src/adapters/supervisor/launcher/launcher.ts",
);

type Over = Partial<SupervisorOptions> & { readonly dir?: string; readonly ledger?: Ledger };

/** A real supervisor with real processes over a directory of this test. */
export function aSupervisor({ dir = aTempDir(), ledger = aLedger(), ...over }: Over = {}) {
  const spoolDir = join(dir, "spool");
  const logged: string[] = [];
  const note = (message: string, fields?: object) =>
    logged.push(`${message} ${JSON.stringify(fields ?? {}, withErrors)}`);
  const supervisor = createSupervisor({
    spoolDir,
    launcher: { command: [process.execPath, LAUNCHER] },
    runners: () => fakeRunner,
    observe: ledger.observe,
    log: { debug: note, info: note, warn: note, error: note },
    clock: { now: () => Date.now() },
    graceMs: 300,
    commitEveryMs: 50,
    ...over,
  });
  onTestFinished(async () => {
    await supervisor.close();
    for (const { process: wrapper, outcome } of ledger.entries.values()) {
      if (wrapper && outcome === null) killGroup(wrapper.pid);
    }
  });
  return {
    supervisor,
    ledger,
    logged,
    dir,
    launcherPid: () => childWith(LAUNCHER),
    spool: (name: string) => join(spoolDir, name),
    launch: (agentId: AgentId, script: readonly string[], change: Partial<Launch> = {}) =>
      supervisor.launch(aLaunch(agentId, script, change)),
    ended: (agentId: AgentId, attempt = 1) =>
      eventually(`${agentId} to be over`, () => {
        const entry = ledger.get(agentId, attempt);
        return entry.outcome === null ? undefined : entry;
      }),
    started: (agentId: AgentId) =>
      eventually(`${agentId} to start`, () => ledger.get(agentId).process ?? undefined),
  };
}

export function aLaunch(
  agentId: AgentId,
  script: readonly string[],
  change: Partial<Launch> = {},
): Launch {
  return {
    agentId,
    attempt: 1,
    runner: "rehearsal",
    workingDirectory: "/",
    progress: NO_PROGRESS,
    command: {
      argv: [FAKE_AGENT, ...script],
      env: {
        PATH: process.env["PATH"] ?? "",
        NODE: process.execPath,
        KUROMAJUTSU_AGENT_ID: agentId,
      },
      stdin: "",
    },
    ...change,
  };
}

/** The limit is for a busy machine; tests do not normally wait that long. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined,
  withinMs = 60_000,
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > until) throw new Error(`Waited in vain for ${what}.`);
    await sleep(10);
  }
}

export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
  } catch {
    return false;
  }
}

export function pidIn(path: string): Promise<number> {
  return eventually(`a pid in ${path}`, () => {
    try {
      return Number(readFileSync(path, "utf8").trim()) || undefined;
    } catch {
      return undefined;
    }
  });
}

/** The child of this process whose command line mentions the text; tests of one file run in turn. */
function childWith(text: string): number {
  const rows = [...procfs.table().values()];
  const found = rows.find(
    ({ pid, parent }) =>
      parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text),
  );
  if (!found) throw new Error(`No child runs ${text}.`);
  return found.pid;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}

function withErrors(_: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
