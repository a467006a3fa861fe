import type { Cli, TrustFiles } from "../cli.ts";
import { CONFIG_OPTION, defineCommand, flag, optionalArgument } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { TRUST_TEXTS } from "../terminal/trust-texts.ts";

export const trust = defineCommand({
  name: "trust",
  summary: {
    en: "let a configuration file that was found here run its commands; shows them and asks",
    ja: "ここで見つかった設定ファイルにコマンドの実行を許します。内容を表示して確認します",
  },
  details: {
    en: "Exit codes: 0 the file is trusted or needs no trust, 1 it is not trusted.",
    ja: "終了コード: 0 信頼されている、または信頼が不要、1 信頼されていない。",
  },
  examples: ["kuromajutsu trust", "kuromajutsu trust --list", "kuromajutsu trust PATH --revoke"],
  arguments: {
    path: optionalArgument({
      en: "a configuration file or its folder (default: the one that is found from here)",
      ja: "設定ファイルかそのフォルダー（省略時はここから見つかるもの）",
    }),
  },
  options: {
    yes: flag({ en: "do not ask", ja: "確認しません" }, { short: "y" }),
    list: flag({ en: "list the files that are trusted", ja: "信頼しているファイルの一覧" }),
    revoke: flag({ en: "no longer trust the file", ja: "信頼を取り消します" }),
    ...CONFIG_OPTION,
  },
  async run(cli, { path: named }, { yes, list, revoke }) {
    await refuseAgents(cli, "trust");
    const { listTrusted, revokeTrust, trustFile } = await import("../trust-file.ts");
    const files = await cli.trust();
    if (list) return listTrusted(files, cli);
    const path = named === undefined ? await nearest(files, cli) : files.resolve(named);
    return revoke ? revokeTrust(files, cli, path) : trustFile(files, cli, { path, yes });
  },
});

async function nearest(files: TrustFiles, cli: Cli): Promise<string> {
  const path = files.nearest();
  if (path === undefined) throw new Error(TRUST_TEXTS[await cli.locale()].none);
  return path;
}
