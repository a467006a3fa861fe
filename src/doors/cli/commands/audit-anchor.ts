import { ADMIN_TEXTS } from "../admin-texts.ts";
import { CONFIG_OPTION, defineCommand } from "../define-command.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

export const auditAnchor = defineCommand({
  name: "audit anchor",
  summary: {
    en: "accept the audit as it is now, after a look at what `audit verify` says",
    ja: "`audit verify` の結果を確かめたうえで、今の監査の記録を正しいものとして受け入れます",
  },
  details: {
    en: "Later checks compare with the audit as it is now. Needed when the head outside the database is missing or does not fit, for example after a backup was restored. No daemon may be running.",
    ja: "以後の検証は今の記録と比べます。バックアップから戻した後など、データベースの外にある照合用の控えがないとき、または合わないときに使います。デーモンは終了しておいてください。",
  },
  examples: ["kuromajutsu audit anchor"],
  arguments: {},
  options: { ...CONFIG_OPTION },
  async run(cli) {
    const texts = ADMIN_TEXTS[await cli.locale()];
    if (await cli.daemon().ask("status")) throw new Error(texts.daemonMustStop(cli.command));
    const anchored = await (await cli.audit()).anchor();
    writeWrapped(process.stdout, `${anchored.ok ? texts.anchored : texts.audit(anchored)}\n`);
    return anchored.ok ? 0 : 1;
  },
});
