import {
  CONFIG_OPTION,
  defineCommand,
  flag,
  JSON_OPTION,
  option,
  optionalArgument,
  optionWithDefault,
} from "../define-command.ts";

export const changes = defineCommand({
  name: "changes",
  summary: {
    en: "list the changes that agents wrote in worktrees of their own; show, comment or send back one",
    ja: "エージェントが自分の作業ツリーで書いた変更の一覧。1 件の表示、コメント、差し戻しもできます",
  },
  details: {
    en: "Comments are drafts until the change is sent back. `kuromajutsu merge` asks for the approval to merge a change, `kuromajutsu discard` decides against it.",
    ja: "コメントは、差し戻すまで下書きのままです。取り込む承認は `kuromajutsu merge` で求め、取り込まない変更は `kuromajutsu discard` で破棄します。",
  },
  examples: [
    "kuromajutsu changes",
    "kuromajutsu changes --group grp-… --json",
    "kuromajutsu changes impl-code-…",
    "kuromajutsu changes impl-code-… --patch src/a.ts",
    'kuromajutsu changes impl-code-… --comment src/a.ts:12 "…"',
    'kuromajutsu changes impl-code-… --send-back "…"',
  ],
  arguments: {
    id: optionalArgument({
      en: "an agent or its workspace; without it the open changes are listed",
      ja: "エージェントか作業ツリーの ID。省略すると判断待ちの変更の一覧を表示します",
    }),
    text: optionalArgument({
      en: "the text of --comment, in quotes",
      ja: "--comment の本文（引用符で囲みます）",
    }),
  },
  options: {
    group: option("ID", {
      en: "list only the changes of this group",
      ja: "このグループの変更だけを表示します",
    }),
    task: option("ID", {
      en: "list only the changes of this task",
      ja: "このタスクの変更だけを表示します",
    }),
    all: flag({
      en: "list also changes that were merged or discarded",
      ja: "取り込み済みと破棄済みの変更も表示します",
    }),
    patch: optionWithDefault("PATH", {
      en: "print the unified diff of one file, or of all files",
      ja: "差分を出力します。PATH を省略するとすべてのファイル",
    }),
    comment: option("PATH:LINE", {
      en: "comment a line, lines (PATH:3-5) or a file (PATH) of the newest version",
      ja: "最新の版の行にコメントします。PATH:3-5 で範囲、PATH だけでファイル全体",
    }),
    sendBack: optionWithDefault("TEXT", {
      en: "give the comments and this text to the agent, which continues on the same branch",
      ja: "コメントとこの文をエージェントに差し戻します。同じブランチで作業を続けます",
    }),
    ...JSON_OPTION,
    ...CONFIG_OPTION,
  },
  async run(cli, { id, text }, { group, task, all, patch, comment, sendBack, json }) {
    const { withSession } = await import("../terminal/session.ts");
    const commands = await import("../terminal/change-commands.ts");
    return withSession(cli, { approvesAll: false }, async (session) => {
      if (id === undefined) {
        commands.refuseWithoutId(session, { patch, comment, sendBack });
        return commands.listChanges(session, { group, task, all, json });
      }
      if (patch !== undefined) return commands.printPatch(session, id, { path: patch, json });
      if (comment !== undefined) await commands.addComment(session, id, { comment, text, json });
      else commands.refuseText(session, id, text);
      if (sendBack !== undefined) return commands.sendBack(session, id, { text: sendBack, json });
      return comment === undefined ? commands.showChange(session, id, json) : 0;
    });
  },
});
