import { CONFIG_OPTION, defineCommand, flag, option } from "../define-command.ts";

export const alertsTest = defineCommand({
  name: "alerts test",
  summary: {
    en: "send a test alert to every target of the rules, or to one, and say what happened",
    ja: "規則のすべての送り先、または 1 つの送り先にテストを送り、結果を表示します",
  },
  details: {
    en: "Ends with 1 if a target did not take the test.",
    ja: "受け取らなかった送り先があると、終了コードは 1 です。",
  },
  examples: ["kuromajutsu alerts test", "kuromajutsu alerts test --to webhook:ops"],
  arguments: {},
  options: {
    to: option("TARGET", {
      en: "only this target, such as browser or webhook:ops",
      ja: "送り先を 1 つだけ指定します（例: browser、webhook:ops）",
    }),
    json: flag({ en: "print JSON", ja: "JSON で出力します" }),
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { to, json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { testAlerts } = await import("../terminal/alert-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => testAlerts(session, { to, json }));
  },
});
