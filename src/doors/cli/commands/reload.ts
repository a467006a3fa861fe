import { explainUntrusted } from "../../../app/people/untrusted.ts";
import { CONFIG_OPTION, defineCommand } from "../define-command.ts";

const NOT_RUNNING = 3;

export const reload = defineCommand({
  name: "reload",
  summary: {
    en: "make the daemon read its configuration again; a wrong one changes nothing",
    ja: "デーモンに設定を読み直させます。誤りがあれば何も変わりません",
  },
  details: {
    en: "Exit codes: 0 the configuration is in use, 1 it is wrong, 3 no daemon runs.",
    ja: "終了コード: 0 反映された、1 設定に誤りがある、3 デーモンが動いていない。",
  },
  examples: ["kuromajutsu reload"],
  arguments: {},
  options: { ...CONFIG_OPTION },
  async run(cli) {
    const daemon = cli.daemon();
    const answer = await daemon.ask("reload");
    if (!answer) {
      process.stdout.write(`No daemon runs for ${daemon.dataDir}.\n`);
      return NOT_RUNNING;
    }
    if (answer.notReloaded) {
      process.stderr.write(`Nothing was changed. ${answer.notReloaded}\n`);
      return 1;
    }
    const waiting = answer.waitingForRestart ?? [];
    const rest = waiting.length === 0 ? "" : ` After a restart also: ${waiting.join(", ")}.`;
    process.stdout.write(
      `The configuration (${answer.configPath ?? "built-in defaults"}) is in use now.${rest}\n`,
    );
    if (answer.untrusted) process.stderr.write(`${explainUntrusted(answer.untrusted)}\n`);
    return 0;
  },
});
