import type { Locale } from "../../../domain/locale.ts";

export type ExplainedMcp = {
  /** The entry for the file of a client. */
  readonly snippet: string;
  readonly claudeCommand: string;
  /** How a person starts this program. */
  readonly command: string;
  /** People have to sign in. */
  readonly signIn: boolean;
};

/** What `kuromajutsu mcp` says to a person who types it into a terminal. */
export function explainMcp(explained: ExplainedMcp, locale: Locale): string {
  const texts = TEXTS[locale];
  const { snippet, claudeCommand, command, signIn } = explained;
  const indented = snippet.replaceAll(/^/gm, "    ");
  return `
  ${texts.what}

  ${texts.init}
    ${command} init

  Claude Code:
    ${claudeCommand}

  ${texts.json}
${indented}
${signIn ? `\n  ${texts.token(command)}\n` : ""}
`;
}

type Texts = {
  readonly what: string;
  readonly init: string;
  readonly json: string;
  readonly token: (command: string) => string;
};

const TEXTS: Readonly<Record<Locale, Texts>> = {
  ja: {
    what: "これは MCP サーバーです。人が端末で使うものではなく、Cursor や Claude Code などの MCP クライアントが起動します。",
    init: "お使いのクライアントに加えるには（変更はすべて先に表示されます）:",
    json: "自分で書く場合は、次の内容を加えます（Cursor なら .cursor/mcp.json）:",
    token: (command) =>
      `サインインが必要です。クライアントの環境変数 KUROMAJUTSU_TOKEN に、${command} user add で発行したトークンを設定してください。`,
  },
  en: {
    what: "This is the MCP server. MCP clients such as Cursor or Claude Code start it; it is not for typing.",
    init: "To add it to your clients (every change is shown first):",
    json: "To add it yourself (Cursor: .cursor/mcp.json):",
    token: (command) =>
      `People sign in here: set KUROMAJUTSU_TOKEN in the environment of the client to a token of ${command} user add.`,
  },
};
