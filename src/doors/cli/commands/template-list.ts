import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

export const templateList = defineCommand({
  name: "template list",
  summary: {
    en: "list the templates of tasks, groups and roles",
    ja: "タスク、グループ、職種のテンプレートの一覧を表示します",
  },
  examples: ["kuromajutsu template list", "kuromajutsu template list --json"],
  arguments: {},
  options: {
    json: flag({ en: "print JSON", ja: "JSON で出力します" }),
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { listTemplates } = await import("../templates/show-templates.ts");
    return withSession(cli, { approvesAll: false }, (session) => listTemplates(session, json));
  },
});
