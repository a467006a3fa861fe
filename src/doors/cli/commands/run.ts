import { TASK_PRIORITIES } from "../../../domain/tasks/task.ts";
import { choice, CONFIG_OPTION, defineCommand, flag, optionalArgument } from "../define-command.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { USAGE_TEXTS } from "../usage-texts.ts";

const USAGE_ERROR = 2;

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
  examples: [
    'kuromajutsu run "…"',
    "kuromajutsu run --sample",
    'kuromajutsu run "…" --detach --priority high',
  ],
  arguments: {
    text: optionalArgument({
      en: "what is to be done, in quotes; left out only with --sample",
      ja: "依頼の内容（引用符で囲みます）。省略できるのは --sample のときだけです",
    }),
  },
  options: {
    sample: flag({
      en: "request the sample task of the dashboard, long enough to block, unblock and approve it from another terminal",
      ja: "ダッシュボードと同じお試しタスクを依頼します。別の端末からブロック、ブロック解除、承認を試せる長さです",
    }),
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
  async run(cli, { text }, { sample, yes, detach, priority }) {
    if ((text === undefined || text === "") !== sample) {
      const texts = USAGE_TEXTS[await cli.locale()];
      const problem = sample ? texts.unexpected(text ?? "") : texts.missingArgument("text");
      const usage = `  ${cli.command} run <text> [options]\n  ${cli.command} run --sample [options]`;
      writeWrapped(
        process.stderr,
        `${problem}\n${usage}\n${texts.seeHelp(`${cli.command} run`)}\n`,
      );
      return USAGE_ERROR;
    }
    const { offerTrust } = await import("../trust-file.ts");
    await offerTrust(await cli.trust(), cli);
    const { withSession } = await import("../terminal/session.ts");
    const { runTask } = await import("../terminal/task-commands.ts");
    return withSession(cli, { approvesAll: yes }, (session) =>
      runTask(session, {
        text: sample ? undefined : text,
        workingDirectory: process.cwd(),
        detach,
        ...(priority && { priority }),
      }),
    );
  },
});
