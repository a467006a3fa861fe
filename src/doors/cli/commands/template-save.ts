import { argument, CONFIG_OPTION, defineCommand, flag, option } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";

export const templateSave = defineCommand({
  name: "template save",
  summary: {
    en: "save a task that has ended as a template",
    ja: "終わったタスクをテンプレートとして保存します",
  },
  details: {
    en: "The file has the request, and the prompt and the steps as hints. Texts that look like secrets are left out; look at the file before you share it.",
    ja: "ファイルには依頼と、参考として実行方針とステップが入ります。秘密情報と思われる文字列は除きます。共有する前にファイルを確認してください。",
  },
  examples: ["kuromajutsu template save task-…", "kuromajutsu template save task-… --id overtime"],
  arguments: { task: argument({ en: "the id of a task", ja: "タスクの ID" }) },
  options: {
    id: option("ID", {
      en: "the id of the template (default: made of the title of the task)",
      ja: "テンプレートの ID（省略時はタスクの名前から作ります）",
    }),
    name: option("NAME", {
      en: "the name that is shown to people (default: the title of the task)",
      ja: "表示する名前（省略時はタスクの名前）",
    }),
    yes: flag({ en: "overwrite without a question", ja: "確認せずに上書きします" }, { short: "y" }),
    ...CONFIG_OPTION,
  },
  async run(cli, { task }, { id, name, yes }) {
    await refuseAgents(cli, "template save");
    const { withSession } = await import("../terminal/session.ts");
    const { saveTemplate } = await import("../templates/use-template.ts");
    return withSession(cli, { approvesAll: yes }, (session) =>
      saveTemplate(session, {
        taskId: task,
        ...(id !== undefined && { id }),
        ...(name !== undefined && { name }),
      }),
    );
  },
});
