import { RUNNER_IDS } from "../../../domain/agents/runner.ts";
import { choiceList, CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";

const CLIS = RUNNER_IDS.filter((id) => id !== "rehearsal");

export const doctor = defineCommand({
  name: "doctor",
  summary: {
    en: "run every agent CLI once and show which work, and what to do about the others",
    ja: "エージェントの CLI を 1 回ずつ動かし、使えるかどうかと、直し方を表示します",
  },
  details: {
    en: "Each CLI answers one short question with its default model, connects to Kuromajutsu and calls a tool. This uses a few tokens.\n\nExit codes: 0 at least one CLI works, 1 none does.",
    ja: "それぞれの CLI が既定のモデルで短い質問に答え、Kuromajutsu に接続し、ツールを 1 つ呼び出します。トークンを少し使います。\n\n終了コード: 0 使える CLI がある、1 ない。",
  },
  examples: [
    "kuromajutsu doctor",
    "kuromajutsu doctor --runner claude codex",
    "kuromajutsu doctor --json",
  ],
  arguments: {},
  options: {
    runner: choiceList("NAME", CLIS, {
      en: `only these CLIs: ${CLIS.join(", ")}`,
      ja: `調べる CLI: ${CLIS.join("、")}`,
    }),
    json: flag({ en: "print JSON", ja: "JSON で出力します" }),
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { runner, json }) {
    const { runDoctor } = await import("../doctor/run-doctor.ts");
    return runDoctor(cli, { wanted: runner, json });
  },
});
