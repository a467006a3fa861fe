import { join } from "node:path";
import { z } from "zod";
import {
  checkedOption,
  CONFIG_OPTION,
  defineCommand,
  flag,
  optionalArgument,
} from "../define-command.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

const USUAL_LINES = 100;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export const logs = defineCommand({
  name: "logs",
  summary: {
    en: "show the log of the daemon, or what an agent says and does",
    ja: "デーモンのログ、またはエージェントの発言と操作を表示します",
  },
  examples: [
    "kuromajutsu logs",
    "kuromajutsu logs --follow",
    "kuromajutsu logs impl-code-… --follow",
    "kuromajutsu logs impl-code-… --lines 20",
  ],
  arguments: {
    agent: optionalArgument({
      en: "an agent; without it the log of the daemon is shown",
      ja: "エージェントの ID。省略するとデーモンのログを表示します",
    }),
  },
  options: {
    follow: flag(
      { en: "go on showing what is added", ja: "追加された分も表示し続けます" },
      { short: "f" },
    ),
    lines: checkedOption(z.coerce.number().int().min(1).max(100_000), {
      placeholder: "N",
      text: {
        en: `how many lines of what is there already (default: ${USUAL_LINES})`,
        ja: `すでにある分の表示行数（省略時は ${USUAL_LINES}）`,
      },
      expected: { en: "a number from 1 to 100000", ja: "1 から 100000 までの数" },
    }),
    raw: flag({
      en: "agent: the output of its CLI as it is",
      ja: "エージェント: CLI の出力をそのまま表示します",
    }),
    ...CONFIG_OPTION,
  },
  async run(cli, { agent }, { follow, lines = USUAL_LINES, raw }) {
    if (agent !== undefined) {
      const { withSession } = await import("../terminal/session.ts");
      const { showTranscript } = await import("../terminal/log-commands.ts");
      return withSession(cli, { approvesAll: false }, (session) =>
        showTranscript(session, { id: agent, follow, lines, raw }),
      );
    }
    const { showLog } = await import("../terminal/daemon-log.ts");
    const { FLEET_TEXTS } = await import("../terminal/fleet-texts.ts");
    const path = join(cli.daemon().dataDir, "daemon.log");
    if (await showLog({ path, lines, follow, print })) return 0;
    writeWrapped(process.stderr, `${FLEET_TEXTS[await cli.locale()].noLog(path)}\n`);
    return 1;
  },
});
