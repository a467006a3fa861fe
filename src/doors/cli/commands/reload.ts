import { explainUntrusted } from "../../../app/people/untrusted.ts";
import { ADMIN_TEXTS } from "../admin-texts.ts";
import { CONFIG_OPTION, defineCommand } from "../define-command.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

const NOT_RUNNING = 3;

export const reload = defineCommand({
  name: "reload",
  summary: {
    en: "reload the configuration; an invalid file is rejected and nothing changes",
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
    const texts = ADMIN_TEXTS[await cli.locale()];
    if (!answer) {
      writeWrapped(process.stdout, `${texts.noDaemon(daemon.dataDir)}\n`);
      return NOT_RUNNING;
    }
    if (answer.notReloaded) {
      writeWrapped(process.stderr, `${texts.notReloaded(answer.notReloaded)}\n`);
      return 1;
    }
    const waiting = answer.waitingForRestart ?? [];
    const rest = waiting.length === 0 ? "" : `\n${texts.afterRestart(waiting)}`;
    writeWrapped(process.stdout, `${texts.reloaded(answer.configPath)}${rest}\n`);
    if (answer.untrusted) writeWrapped(process.stderr, `${explainUntrusted(answer.untrusted)}\n`);
    return 0;
  },
});
