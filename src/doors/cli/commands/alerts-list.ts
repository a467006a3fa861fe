import { ALERT_STATUSES } from "../../../domain/alerts/alert.ts";
import { choice, CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

export const alertsList = defineCommand({
  name: "alerts list",
  summary: {
    en: "list the newest alerts for people and whether they were delivered",
    ja: "人へのアラートと、届いたかどうかを新しい順に表示します",
  },
  examples: ["kuromajutsu alerts list", "kuromajutsu alerts list --status failed --json"],
  arguments: {},
  options: {
    status: choice("S", ALERT_STATUSES, {
      en: "list only these: pending, sent, failed or dropped",
      ja: "一覧を絞り込みます（pending、sent、failed、dropped のいずれか）",
    }),
    json: flag({ en: "print JSON", ja: "JSON で出力します" }),
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { status, json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { listAlerts } = await import("../terminal/alert-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) =>
      listAlerts(session, { status, json }),
    );
  },
});
