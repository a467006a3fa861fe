import { argument, CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

export const templateShow = defineCommand({
  name: "template show",
  summary: {
    en: "show a template: its values and the texts that agents get",
    ja: "テンプレートの値と、エージェントに渡す文章を表示します",
  },
  examples: ["kuromajutsu template show weekly-report"],
  arguments: { id: argument({ en: "the id of a template", ja: "テンプレートの ID" }) },
  options: {
    json: flag({ en: "print JSON", ja: "JSON で出力します" }),
    ...CONFIG_OPTION,
  },
  async run(cli, { id }, { json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { showTemplate } = await import("../templates/show-templates.ts");
    return withSession(cli, { approvesAll: false }, (session) => showTemplate(session, id, json));
  },
});
