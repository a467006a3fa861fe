import {
  CONFIG_OPTION,
  defineCommand,
  flag,
  JSON_OPTION,
  option,
  optionalArgument,
  optionalChoice,
} from "../define-command.ts";

export const approvals = defineCommand({
  name: "approvals",
  summary: {
    en: "list the approvals that wait for a person, show one, approve or reject it",
    ja: "承認待ちの一覧。1 件の表示、承認、却下もできます",
  },
  examples: [
    "kuromajutsu approvals",
    "kuromajutsu approvals --json",
    "kuromajutsu approvals apr-…",
    "kuromajutsu approvals apr-… approve",
    'kuromajutsu approvals apr-… reject --reason "…"',
  ],
  arguments: {
    id: optionalArgument({
      en: "an approval; without it all pending ones are listed",
      ja: "承認の ID。省略すると承認待ちの一覧を表示します",
    }),
    decision: optionalChoice(["approve", "reject"], {
      en: "approve or reject; without it the approval is shown",
      ja: "approve（承認）か reject（却下）。省略すると内容を表示します",
    }),
  },
  options: {
    reason: option("TEXT", { en: "why", ja: "理由" }),
    answer: option("TEXT", {
      en: "the answer to a question; done or repeat for a call whose outcome is unknown",
      ja: "質問への回答。結果不明の呼び出しには done か repeat",
    }),
    anyArguments: flag({
      en: "approve: this step with any arguments",
      ja: "approve: 引数を問わず、このステップを承認します",
    }),
    skip: flag({
      en: "reject: go on without the step",
      ja: "reject: このステップなしで続けます",
    }),
    ...JSON_OPTION,
    ...CONFIG_OPTION,
  },
  async run(cli, { id, decision }, { reason, answer, anyArguments, skip, json }) {
    const { withSession } = await import("../terminal/session.ts");
    const commands = await import("../terminal/approval-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => {
      if (id === undefined) return commands.listApprovals(session, json);
      if (decision === undefined) return commands.showApproval(session, id, json);
      return commands.decideApproval(session, id, {
        decision,
        ...(reason && { reason }),
        ...(answer && { answer }),
        ...(anyArguments && { scope: "any_arguments" }),
        ...(skip && { onReject: "skip" }),
      });
    });
  },
});
