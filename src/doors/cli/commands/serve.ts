import { isIP } from "node:net";
import { z } from "zod";
import {
  checkedOption,
  CONFIG_OPTION,
  defineCommand,
  flag,
  negatedFlag,
} from "../define-command.ts";

const portSchema = z
  .string()
  .regex(/^\d+$/)
  .transform(Number)
  .refine((port) => port <= 65_535);

const bindSchema = z.string().refine((address) => address === "localhost" || isIP(address) !== 0);

export const serve = defineCommand({
  name: "serve",
  summary: {
    en: "run the daemon in this terminal: MCP, REST, live events and the dashboard (default command)",
    ja: "この端末でデーモンを動かします（MCP、REST、ライブイベント、ダッシュボード）。コマンドを省略したときも同じです",
  },
  examples: ["kuromajutsu", "kuromajutsu serve --port 9700"],
  arguments: {},
  options: {
    port: checkedOption(portSchema, {
      placeholder: "N",
      text: {
        en: "use exactly this port (default: 9696 or the next free one)",
        ja: "ポートを固定します（省略時は 9696、使用中なら次の空きポート）",
      },
      expected: { en: "a number from 0 to 65535", ja: "0 から 65535 までの数" },
    }),
    bind: checkedOption(bindSchema, {
      placeholder: "ADDRESS",
      text: {
        en: "listen on this address (default: server.bind, 127.0.0.1); other machines can reach it only if people sign in",
        ja: "待ち受けるアドレス（省略時は server.bind、127.0.0.1）。ほかのマシンから使えるのは、利用者がサインインする場合だけです",
      },
      expected: {
        en: "an IP address such as 127.0.0.1 or 0.0.0.0",
        ja: "127.0.0.1 や 0.0.0.0 などの IP アドレス",
      },
    }),
    open: negatedFlag({
      en: "do not open the browser",
      ja: "ブラウザーを開きません",
    }),
    quiet: flag(
      {
        en: "after the address, show only warnings and errors",
        ja: "アドレスのあとは、警告とエラーだけを表示します",
      },
      { short: "q" },
    ),
    ...CONFIG_OPTION,
    conformance: flag(
      {
        en: "add what the MCP conformance suite calls",
        ja: "MCP 適合性テスト用のツールを加えます",
      },
      { hidden: true },
    ),
  },
  async run(cli, _args, { port, bind, conformance, open, quiet }) {
    if (process.stdin.isTTY) {
      const { offerTrust } = await import("../trust-file.ts");
      await offerTrust(await cli.trust(), cli);
    }
    return cli.serve({ port, bind, conformance, open, quiet });
  },
});
