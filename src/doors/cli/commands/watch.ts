import { CONFIG_OPTION, defineCommand } from "../define-command.ts";

export const watch = defineCommand({
  name: "watch",
  summary: {
    en: "watch tasks, agents and approvals live in the whole terminal, and decide there",
    ja: "タスク、エージェント、承認待ちを端末の全画面でライブ表示し、その場で判断します",
  },
  details: {
    en: "Keys: arrows select, Enter shows details, a approves, r rejects, b blocks, s stops, ? helps, q quits. Tasks and agents go on after you quit.",
    ja: "キー: 矢印で選択、Enter で詳細、a 承認、r 却下、b ブロック、s 停止、? ヘルプ、q 終了。終了してもタスクとエージェントは動き続けます。",
  },
  examples: ["kuromajutsu watch"],
  arguments: {},
  options: { ...CONFIG_OPTION },
  async run(cli) {
    const { withSession } = await import("../terminal/session.ts");
    const { runWatch } = await import("../watch/run-watch.ts");
    return withSession(cli, { approvesAll: false }, runWatch);
  },
});
