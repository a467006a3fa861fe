import { z } from "zod";
import { LABEL } from "../../../domain/workers/labels.ts";
import { argument, CONFIG_OPTION, defineCommand, PARAMETER_HELP } from "../define-command.ts";

const labels = z.array(z.string().regex(LABEL)).optional();
PARAMETER_HELP.add(labels, {
  placeholder: "LABEL",
  isRepeated: true,
  text: {
    en: "a label that the worker may have; repeat it for several (default: any)",
    ja: "ワーカーに許すラベル。繰り返せます（省略時はどれでも）",
  },
  expected: {
    en: "small letters, digits and . _ : / -",
    ja: "小文字の英字、数字、. _ : / - だけのラベル",
  },
});

export const workerAdd = defineCommand({
  name: "worker add",
  summary: {
    en: "allow another machine to run agents, and print its token, this once",
    ja: "別のマシンでエージェントを動かせるようにし、トークンを一度だけ表示します",
  },
  examples: [
    "kuromajutsu worker add build-1",
    "kuromajutsu worker add build-1 --label repo:app > worker-token",
  ],
  arguments: {
    name: argument({ en: "a name for the machine", ja: "マシンの名前" }),
  },
  options: { label: labels, ...CONFIG_OPTION },
  async run(cli, { name }, { label }) {
    const { withSession } = await import("../terminal/session.ts");
    const { addWorker } = await import("../terminal/worker-commands.ts");
    return withSession(cli, { approvesAll: false }, (session) => addWorker(session, name, label));
  },
});
