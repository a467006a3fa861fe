import { argument, CONFIG_OPTION, defineCommand } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";

export const templateRemove = defineCommand({
  name: "template remove",
  summary: {
    en: "remove a template that is saved in PostgreSQL",
    ja: "PostgreSQL に保存したテンプレートを削除します",
  },
  details: {
    en: "Template files are deleted by hand. Schedules that name the template request no task until there is one with this id again.",
    ja: "ファイルのテンプレートは、ファイルを削除してください。このテンプレートを使うスケジュールは、同じ ID のテンプレートができるまでタスクを依頼しません。",
  },
  examples: ["kuromajutsu template remove overtime"],
  arguments: { id: argument({ en: "the id of a template", ja: "テンプレートの ID" }) },
  options: { ...CONFIG_OPTION },
  async run(cli, { id }) {
    await refuseAgents(cli, "template remove");
    const { withSession } = await import("../terminal/session.ts");
    const { removeTemplate } = await import("../templates/use-template.ts");
    return withSession(cli, { approvesAll: false }, (session) => removeTemplate(session, id));
  },
});
