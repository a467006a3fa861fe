import { setTimeout as sleep } from "node:timers/promises";
import { ADMIN_TEXTS } from "../admin-texts.ts";
import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

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
    const texts = ADMIN_TEXTS[await cli.locale()];
    const status = await daemon.ask(stopAgents ? "stop-agents" : "stop");
    if (!status && stopAgents) throw new Error(texts.noDaemonForAgents(daemon.dataDir));
    if (!status) {
      writeWrapped(process.stdout, `${texts.noDaemon(daemon.dataDir)}\n`);
      return 0;
    }
    if (!(await hasExited(status.pid))) {
      throw new Error(texts.notStopped(status.pid, STOP_WITHIN_MS / 1_000));
    }
    const { live, waiting } = status.agents;
    const agents = stopAgents ? texts.agentsEnded(live, waiting) : texts.agentsGoOn(live);
    writeWrapped(process.stdout, `${texts.stopped(status.pid, agents)}\n`);
    return 0;
  },
});

async function hasExited(pid: number): Promise<boolean> {
  for (const giveUpAt = Date.now() + STOP_WITHIN_MS; Date.now() < giveUpAt; await sleep(POLL_MS)) {
    if (isGone(pid)) return true;
  }
  return false;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
