import { DEMO_STORIES } from "../../../contract/demo.ts";
import { defineCommand, flag, negatedFlag, optionalChoice } from "../define-command.ts";

export const demo = defineCommand({
  name: "demo",
  summary: {
    en: "try it without installing anything: a guided story in a temporary directory; nothing is left behind",
    ja: "何も用意せずに試せます。一時ディレクトリで案内つきの話を動かし、終わると何も残しません",
  },
  details: {
    en: "hr: sum up overtime, with a human check before the sheet is written. coding: three agents in parallel, a conflict and a question. Without a name you choose in the browser. q or Ctrl-C ends it.",
    ja: "hr: 残業時間を集計します。シートに書く前に人が確認します。coding: 3 体が並行して作業し、競合について人に尋ねます。省略するとブラウザーで選べます。q か Ctrl-C で終わります。",
  },
  examples: ["kuromajutsu demo", "kuromajutsu demo coding --terminal"],
  arguments: {
    story: optionalChoice(DEMO_STORIES, {
      en: `the story: ${DEMO_STORIES.join(", ")}`,
      ja: `話: ${DEMO_STORIES.join("、")}`,
    }),
  },
  options: {
    open: negatedFlag({ en: "do not open the browser", ja: "ブラウザーを開きません" }),
    terminal: flag({
      en: "play the story in this terminal, without a browser",
      ja: "ブラウザーを使わず、この端末で進めます",
    }),
  },
  async run(cli, { story }, { open, terminal }) {
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
    if (terminal && !isTerminal) {
      const { DEMO_TEXTS } = await import("../demo/demo-texts.ts");
      throw new Error(DEMO_TEXTS[await cli.locale()].needsTerminal);
    }
    const opensBrowser = open && process.stdin.isTTY && process.stderr.isTTY;
    return cli.demo({ story, opensBrowser, isInTerminal: terminal });
  },
});
