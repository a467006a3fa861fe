import { TASK_PRIORITIES } from "../../../domain/tasks/task.ts";
import {
  argument,
  choice,
  CONFIG_OPTION,
  defineCommand,
  flag,
  repeatedOption,
} from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";

export const templateUse = defineCommand({
  name: "template use",
  summary: {
    en: "start the task or the group of a template, or add its role; asks for values",
    ja: "テンプレートのタスクやグループを始めるか、職種を加えます。値は質問されます",
  },
  details: {
    en: "Without a terminal nothing is asked: give the values with --set. Exit codes: 0 completed, 1 failed or not done, 2 cancelled or a wrong value, 3 detached (the work goes on).",
    ja: "端末でない場合は質問しません。値は --set で指定してください。終了コード: 0 完了、1 失敗または実行せず、2 中止または値の誤り、3 切り離し（仕事は続きます）。",
  },
  examples: [
    "kuromajutsu template use weekly-report",
    'kuromajutsu template use three-reviews --set target="…" --yes',
  ],
  arguments: { id: argument({ en: "the id of a template", ja: "テンプレートの ID" }) },
  options: {
    set: repeatedOption("NAME=VALUE", {
      en: "a value of the template; may be given several times",
      ja: "テンプレートの値。何度でも指定できます",
    }),
    yes: flag(
      {
        en: "take the defaults, and approve everything that is asked, except questions",
        ja: "既定の値を使い、質問を除いてすべて承認します",
      },
      { short: "y" },
    ),
    detach: flag({ en: "do not wait for the end", ja: "始めるだけで、終わりを待ちません" }),
    priority: choice("P", TASK_PRIORITIES, {
      en: `priority of a task: ${TASK_PRIORITIES.join(", ")}`,
      ja: `タスクの優先度: ${TASK_PRIORITIES.join("、")}`,
    }),
    ...CONFIG_OPTION,
  },
  async run(cli, { id }, { set = [], yes, detach, priority }) {
    await refuseAgents(cli, "template use");
    const { offerTrust } = await import("../trust-file.ts");
    await offerTrust(await cli.trust(), cli);
    const { withSession } = await import("../terminal/session.ts");
    const { useTemplate } = await import("../templates/use-template.ts");
    return withSession(cli, { approvesAll: yes }, (session) =>
      useTemplate(session, {
        id,
        pairs: set,
        workingDirectory: process.cwd(),
        detach,
        ...(priority && { priority }),
      }),
    );
  },
});
