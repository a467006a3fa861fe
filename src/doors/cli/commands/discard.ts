import { argument, CONFIG_OPTION, defineCommand, JSON_OPTION, option } from "../define-command.ts";

export const discard = defineCommand({
  name: "discard",
  summary: {
    en: "decide against the change of an agent; its commits are kept for a while",
    ja: "エージェントの変更を破棄します。コミットはしばらく残ります",
  },
  examples: ["kuromajutsu discard impl-code-…", 'kuromajutsu discard wsp-… --reason "…"'],
  arguments: {
    id: argument({
      en: "an agent or its workspace; `kuromajutsu changes` has the ids",
      ja: "エージェントか作業ツリーの ID。`kuromajutsu changes` で確認できます",
    }),
  },
  options: {
    reason: option("TEXT", { en: "why", ja: "理由" }),
    ...JSON_OPTION,
    ...CONFIG_OPTION,
  },
  async run(cli, { id }, options) {
    const { withSession } = await import("../terminal/session.ts");
    const { discardChange } = await import("../terminal/merge-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) =>
      discardChange(session, id, options),
    );
  },
});
