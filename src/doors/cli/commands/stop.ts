import { setTimeout as sleep } from "node:timers/promises";
import type { DaemonStatus } from "../../../contract/hello.ts";
import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

const STOP_WITHIN_MS = 15_000;
const POLL_MS = 50;

export const stop = defineCommand({
  name: "stop",
  summary: {
    en: "stop the daemon; running agents go on",
    ja: "デーモンを終了します。実行中のエージェントは動き続けます",
  },
  examples: ["kuromajutsu stop", "kuromajutsu stop --stop-agents"],
  arguments: {},
  options: {
    stopAgents: flag({
      en: "stop the running agents too",
      ja: "実行中のエージェントも終了します",
    }),
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { stopAgents }) {
    const daemon = cli.daemon();
    const status = await daemon.ask(stopAgents ? "stop-agents" : "stop");
    if (!status && stopAgents) {
      throw new Error(
        `No daemon runs for ${daemon.dataDir}, so agents that it may have left running cannot be stopped. Start one, then run this again.`,
      );
    }
    if (!status) {
      process.stdout.write(`No daemon runs for ${daemon.dataDir}.\n`);
      return 0;
    }
    await waitForExit(status.pid);
    process.stdout.write(
      `The daemon (pid ${status.pid}) has stopped. ${stopAgents ? agentsEnded(status) : agentsGoOn(status)}\n`,
    );
    return 0;
  },
});

async function waitForExit(pid: number): Promise<void> {
  for (const giveUpAt = Date.now() + STOP_WITHIN_MS; Date.now() < giveUpAt; await sleep(POLL_MS)) {
    if (isGone(pid)) return;
  }
  throw new Error(
    `The daemon (pid ${pid}) has not ended within ${STOP_WITHIN_MS / 1000} s. Look at its log, or end the process.`,
  );
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
