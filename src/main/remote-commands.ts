import { setTimeout as sleep } from "node:timers/promises";
import { dataDirFor, findConfigFile, socketPathFor } from "../adapters/config/locate.ts";
import { explainUntrusted } from "../app/people/untrusted.ts";
import type { DaemonStatus } from "../contract/hello.ts";
import { askDaemon } from "./client/ask-daemon.ts";

const STOP_WITHIN_MS = 15_000;

/** Exit code 0: a daemon runs; 3: none does. */
export async function runStatus(asJson: boolean): Promise<number> {
  const place = here();
  const status = await askDaemon(place, "status");
  if (!status) {
    process.stdout.write(
      asJson
        ? "null\n"
        : `No daemon runs for ${place.dataDir}. Start one with \`kuromajutsu serve\`.\n`,
    );
    return 3;
  }
  process.stdout.write(asJson ? `${JSON.stringify(status, null, 2)}\n` : describe(status));
  return 0;
}

/** The daemon reads its configuration again. Exit code 1: it was wrong, nothing changed; 3: no daemon runs. */
export async function runReload(): Promise<number> {
  const place = here();
  const told = await askDaemon(place, "reload");
  if (!told) {
    process.stdout.write(`No daemon runs for ${place.dataDir}.\n`);
    return 3;
  }
  if (told.notReloaded) {
    process.stderr.write(`Nothing was changed. ${told.notReloaded}\n`);
    return 1;
  }
  const waiting = told.waitingForRestart ?? [];
  const rest = waiting.length === 0 ? "" : ` After a restart also: ${waiting.join(", ")}.`;
  process.stdout.write(
    `The configuration (${told.configPath ?? "built-in defaults"}) is in use now.${rest}\n`,
  );
  if (told.untrusted) process.stderr.write(`${explainUntrusted(told.untrusted)}\n`);
  return 0;
}

/** Ends the daemon and waits until it is gone; its agents go on unless they are to end as well. */
export async function runStop(withAgents: boolean): Promise<number> {
  const place = here();
  const status = await askDaemon(place, withAgents ? "stop-agents" : "stop");
  if (!status && withAgents) {
    throw new Error(
      `No daemon runs for ${place.dataDir}, so nobody can end agents it may have left running. Start one, then run this again.`,
    );
  }
  if (!status) {
    process.stdout.write(`No daemon runs for ${place.dataDir}.\n`);
    return 0;
  }
  for (const giveUpAt = Date.now() + STOP_WITHIN_MS; Date.now() < giveUpAt; await sleep(50)) {
    if (isGone(status.pid)) {
      process.stdout.write(
        `The daemon (pid ${status.pid}) has stopped. ${withAgents ? agentsEnded(status) : agentsGoOn(status)}\n`,
      );
      return 0;
    }
  }
  throw new Error(
    `The daemon (pid ${status.pid}) has not ended within ${STOP_WITHIN_MS / 1000} s.`,
  );
}

function here(): { socketPath: string; dataDir: string } {
  const dataDir = dataDirFor(findConfigFile(process.cwd(), process.env)?.path, process.env);
  const named = process.env["KUROMAJUTSU_SOCKET"];
  return { socketPath: named || socketPathFor(dataDir, process.env), dataDir };
}

function describe(status: DaemonStatus): string {
  return `Kuromajutsu ${status.version} runs (pid ${status.pid}, since ${status.startedAt}).
  address    ${status.url ?? "none"}
  agents     ${status.agents.live} running, ${status.agents.waiting} queued
  tasks      ${status.tasks.unfinished} unfinished, ${status.tasks.approvals} approval(s) open
  clients    ${status.clients}
  data       ${status.dataDir}
  config     ${status.configPath ?? "built-in defaults"}
${status.untrusted ? `  not used   ${explainUntrusted(status.untrusted)}\n` : ""}`;
}

function agentsGoOn({ agents }: DaemonStatus): string {
  return agents.live === 0
    ? "No agent was running."
    : `${agents.live} agent(s) go on; the next daemon looks after them.`;
}

function agentsEnded({ agents }: DaemonStatus): string {
  return `${agents.live} agent(s) were ended; ${agents.waiting} wait for the next daemon.`;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
