import { nameCommands } from "../../../base/command-name.ts";
import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

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
    const code = found ? 0 : NOT_RUNNING;
    if (json) {
      process.stdout.write(`${JSON.stringify(found ?? null, null, 2)}\n`);
      return code;
    }
    const locale = await cli.locale();
    const { renderStatus, STATUS_TEXTS } = await import("../serve/status-texts.ts");
    writeWrapped(
      process.stdout,
      found
        ? nameCommands(renderStatus(found, locale), cli.command)
        : `${STATUS_TEXTS[locale].notRunning(daemon.dataDir, cli.command)}\n`,
    );
    return code;
  },
});
