import { AGENT_STATUSES } from "../../../domain/agents/agent.ts";
import {
  choice,
  CONFIG_OPTION,
  defineCommand,
  flag,
  JSON_OPTION,
  option,
  optionalArgument,
  optionalChoice,
} from "../define-command.ts";

export const agents = defineCommand({
  name: "agents",
  summary: {
    en: "list the agents, show one, stop it or send it a message",
    ja: "エージェントの一覧。1 体の表示、停止、メッセージの送信もできます",
  },
  details: {
    en: "Exit codes: 0 done, 1 refused, 3 not confirmed. `kuromajutsu logs AGENT` shows what it does.",
    ja: "終了コード: 0 実行した、1 できなかった、3 確認で取りやめた。動きは `kuromajutsu logs AGENT` で見られます。",
  },
  examples: [
    "kuromajutsu agents",
    "kuromajutsu agents --status running --json",
    "kuromajutsu agents impl-code-…",
    "kuromajutsu agents impl-code-… stop",
    'kuromajutsu agents impl-code-… message "…"',
  ],
  arguments: {
    id: optionalArgument({
      en: "an agent; without it all agents in view are listed",
      ja: "エージェントの ID。省略すると一覧を表示します",
    }),
    action: optionalChoice(["stop", "message"], {
      en: "stop or message; without it the agent is shown",
      ja: "stop（停止）か message（メッセージ）。省略すると内容を表示します",
    }),
    text: optionalArgument({
      en: "the message, in quotes",
      ja: "メッセージの内容（引用符で囲みます）",
    }),
  },
  options: {
    group: option("ID", {
      en: "list only the agents of this group",
      ja: "このグループのエージェントだけを表示します",
    }),
    status: choice("S", AGENT_STATUSES, {
      en: `list only these: ${AGENT_STATUSES.join(", ")}`,
      ja: `一覧を絞り込みます（${AGENT_STATUSES.join("、")}）`,
    }),
    yes: flag({ en: "do not ask before stopping", ja: "停止の前に確認しません" }, { short: "y" }),
    ...JSON_OPTION,
    ...CONFIG_OPTION,
  },
  async run(cli, { id, action, text }, { group, status, yes, json }) {
    const { withSession } = await import("../terminal/session.ts");
    const commands = await import("../terminal/agent-commands.ts");
    return withSession(cli, { approvesAll: yes }, (session) => {
      if (id === undefined) return commands.listAgents(session, { group, status, json });
      if (action === "stop") return commands.stopAgent(session, id);
      if (action === "message") return commands.messageAgent(session, id, text);
      return commands.showAgent(session, id, json);
    });
  },
});
