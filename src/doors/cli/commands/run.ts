import { TASK_PRIORITIES } from "../../../domain/tasks/task.ts";
import { argument, choice, CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

export const run = defineCommand({
  name: "run",
  summary: {
    en: "ask for work; shows the prompt and the steps, asks y/n, shows the progress",
    ja: "仕事を依頼します。実行方針とステップを表示して承認を求め、進み具合を表示します",
  },
  details: {
    en: "Exit codes: 0 completed, 1 failed, 2 cancelled, 3 detached (the task goes on).",
    ja: "終了コード: 0 完了、1 失敗、2 中止、3 切り離し（タスクは続きます）。",
  },
  examples: ['kuromajutsu run "…"', 'kuromajutsu run "…" --detach --priority high'],
  arguments: {
    text: argument({ en: "what is to be done, in quotes", ja: "依頼の内容（引用符で囲みます）" }),
  },
  options: {
    yes: flag(
      {
        en: "approve everything that is asked, except questions",
        ja: "質問を除き、すべて承認します",
      },
      { short: "y" },
    ),
    detach: flag({
      en: "do not wait for the end",
      ja: "依頼だけして、終わりを待ちません",
    }),
    priority: choice("P", TASK_PRIORITIES, {
      en: `priority: ${TASK_PRIORITIES.join(", ")}`,
      ja: `優先度: ${TASK_PRIORITIES.join("、")}`,
    }),
    ...CONFIG_OPTION,
  },
  async run(cli, { text }, { yes, detach, priority }) {
    const { offerTrust } = await import("../trust-file.ts");
    await offerTrust(await cli.trust(), cli);
    const { withSession } = await import("../terminal/session.ts");
    const { runTask } = await import("../terminal/task-commands.ts");
    return withSession(cli, { approvesAll: yes }, (session) =>
      runTask(session, {
        text,
        workingDirectory: process.cwd(),
        detach,
        ...(priority && { priority }),
      }),
    );
  },
});
