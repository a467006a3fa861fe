import { explainUntrusted } from "../../../app/people/untrusted.ts";
import type { DaemonStatus } from "../../../contract/hello.ts";
import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

const NOT_RUNNING = 3;

export const status = defineCommand({
  name: "status",
  summary: {
    en: "show whether a daemon runs, where, and with how many agents",
    ja: "デーモンが動いているか、その場所とエージェントの数を表示します",
  },
  details: {
    en: "Exit codes: 0 a daemon runs, 3 none does.",
    ja: "終了コード: 0 動いている、3 動いていない。",
  },
  examples: ["kuromajutsu status", "kuromajutsu status --json"],
  arguments: {},
  options: { json: flag({ en: "print JSON", ja: "JSON で出力します" }), ...CONFIG_OPTION },
  async run(cli, _args, { json }) {
    const daemon = cli.daemon();
    const found = await daemon.ask("status");
    if (found) {
      process.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : describe(found));
      return 0;
    }
    process.stdout.write(
      json
        ? "null\n"
        : `No daemon runs for ${daemon.dataDir}. Start one with \`kuromajutsu serve\`.\n`,
    );
    return NOT_RUNNING;
  },
});

function describe({ untrusted, ...daemon }: DaemonStatus): string {
  return `Kuromajutsu ${daemon.version} runs (pid ${daemon.pid}, since ${daemon.startedAt}).
  address    ${daemon.url ?? "none"}
  agents     ${daemon.agents.live} running, ${daemon.agents.waiting} queued
  tasks      ${daemon.tasks.unfinished} unfinished, ${daemon.tasks.approvals} approval(s) open
  clients    ${daemon.clients}
  data       ${daemon.dataDir}
  config     ${daemon.configPath ?? "built-in defaults"}
${untrusted ? `  not used   ${explainUntrusted(untrusted)}\n` : ""}`;
}
