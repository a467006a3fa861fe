/** MCP clients whose configuration files `kuromajutsu init` can write. */
export const CLIENT_IDS = ["cursor", "claude", "codex", "gemini", "vscode", "opencode"] as const;
export type ClientId = (typeof CLIENT_IDS)[number];

export const CLIENT_TITLES: Readonly<Record<ClientId, string>> = {
  cursor: "Cursor",
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  vscode: "VS Code",
  opencode: "OpenCode",
};
