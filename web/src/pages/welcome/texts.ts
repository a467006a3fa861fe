import { defineTexts } from "../../i18n/texts.ts";

export const TEXTS = defineTexts({
  ja: {
    title: "黒魔術へようこそ",
    lead: "AI エージェントの管制室です。頼む、承認する、見守る、止める。すべてここからできます。",
    daemon: "黒魔術は動いています",
    daemonNote: (version: string, platform: string) => `バージョン ${version} · ${platform}`,
    runners: "エージェントを動かす CLI",
    runnersFound: (names: string) => `${names} が見つかりました。`,
    runnersNone:
      "AI の CLI はまだ見つかりません。なくても、リハーサル (モデルを使わず、流れだけを動かす) で一通り試せます。",
    runnersHint:
      "Cursor の CLI (agent) などをインストールして PATH に追加すると、自動で見つかります。",
    health: "職種の確認",
    healthOk: (available: number, total: number) => `${total} 職種中 ${available} 職種が使えます。`,
    healthRunning: "確認しています…",
    healthIdle: "まだ確認していません。",
    seeHealth: "ヘルスチェックを見る",
    seeSystem: "システム情報を見る",
    mcp: "MCP クライアントにつなぐ",
    mcpNote:
      "次の内容を、使っている MCP クライアントの設定に追加してください。Cursor では .cursor/mcp.json です。",
    mcpHttp: "HTTP でつなぐ場合",
    snippet: "MCP の設定",
    copy: "コピー",
    try: "お試しタスクを 1 つ実行する",
    done: "完了",
    todo: "これから",
  },
  en: {
    title: "Welcome to Kuromajutsu",
    lead: "The control room for AI agents: ask, approve, watch and stop, all from here.",
    daemon: "Kuromajutsu is running",
    daemonNote: (version, platform) => `Version ${version} · ${platform}`,
    runners: "CLIs that run agents",
    runnersFound: (names) => `${names} found.`,
    runnersNone:
      "No AI CLI was found yet. You can still try everything with a rehearsal, which uses no model and only goes through the motions.",
    runnersHint:
      "Install one, such as the Cursor CLI (agent), and add it to PATH. It is then picked up automatically.",
    health: "Roles",
    healthOk: (available, total) => `${available} of ${total} roles are available.`,
    healthRunning: "Checking…",
    healthIdle: "Not checked yet.",
    seeHealth: "Show the health check",
    seeSystem: "Show system information",
    mcp: "Connect your MCP client",
    mcpNote: "Add this to the settings of your MCP client. For Cursor, that is .cursor/mcp.json.",
    mcpHttp: "Over HTTP",
    snippet: "MCP settings",
    copy: "Copy",
    try: "Run a sample task",
    done: "done",
    todo: "to do",
  },
});
