import { MERGE_MODES } from "../../../domain/merges/merge.ts";
import {
  argument,
  choice,
  CONFIG_OPTION,
  defineCommand,
  flag,
  JSON_OPTION,
  option,
} from "../define-command.ts";

export const merge = defineCommand({
  name: "merge",
  summary: {
    en: "ask for the approval to merge the change of an agent into a branch",
    ja: "エージェントの変更をブランチに取り込む承認を求めます",
  },
  details: {
    en: "After the approval the change is checked with workspace.check and lands. A checkout of the branch is not touched, unless you say --into-checkout.",
    ja: "承認されると、workspace.check で検査してから取り込みます。ブランチのチェックアウトには触れません（--into-checkout を付けた場合を除く）。",
  },
  examples: [
    "kuromajutsu merge impl-code-…",
    "kuromajutsu merge impl-code-… --target main --mode squash",
    'kuromajutsu merge wsp-… --message "…" --into-checkout',
  ],
  arguments: {
    id: argument({
      en: "an agent or its workspace; `kuromajutsu changes` has the ids",
      ja: "エージェントか作業ツリーの ID。`kuromajutsu changes` で確認できます",
    }),
  },
  options: {
    target: option("BRANCH", {
      en: "the branch (default: workspace.merge.target, or the one the work began from)",
      ja: "取り込み先のブランチ（省略時は workspace.merge.target か、作業を始めたブランチ）",
    }),
    mode: choice("MODE", MERGE_MODES, {
      en: `${MERGE_MODES.join(", ")} (default: workspace.merge.mode)`,
      ja: `${MERGE_MODES.join("、")}（省略時は workspace.merge.mode）`,
    }),
    message: option("TEXT", { en: "the commit message", ja: "コミットメッセージ" }),
    intoCheckout: flag({
      en: "fast-forward the checkout in which you have the branch",
      ja: "ブランチをチェックアウトしている場所も先に進めます",
    }),
    ...JSON_OPTION,
    ...CONFIG_OPTION,
  },
  async run(cli, { id }, options) {
    const { withSession } = await import("../terminal/session.ts");
    const { askMerge } = await import("../terminal/merge-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => askMerge(session, id, options));
  },
});
