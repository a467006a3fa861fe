import { defineTexts } from "../../i18n/texts.ts";

export const TEXTS = defineTexts({
  ja: {
    noServers: "上流の MCP サーバーはありません",
    noServersNote:
      "設定ファイルの mcpServers に追加すると、エージェントがそのツールを承認付きで使えるようになります。",
    statuses: { starting: "接続中", ready: "接続済み", failed: "接続できません", stopped: "停止" },
    restarts: (count: number) => `再接続 ${count} 回`,
    tools: (count: number) => `ツール ${count}`,
    readOnly: "読み取りのみ",
    checkedAlways: "毎回、人が確認",
    checkedOutsideTask: "タスク外では人が確認",
    checkedNever: "人の確認なし",
    quarantined: "隔離中",
    quarantinedNote: (count: number) =>
      `${count} 個のツールの定義が変わりました。内容を確認して受け入れるまで使えません。`,
    review: "変更を確認…",
    reviewTitle: (name: string) => `${name} の定義の変更`,
    reviewNote:
      "サーバーが、受け入れ済みのツールの説明や引数を変更しました。エージェントはこの説明を読んで動きます。意図した変更かを確認してください。",
    before: (by: string) => `これまで (${by} が受け入れ)`,
    accept: "この定義を受け入れる",
    accepting: "受け入れ中…",
    onlyAdmin: "受け入れられるのは管理者 (admin) だけです。",
    diff: "ツール定義の差分",
    schema: "定義を見る",
  },
  en: {
    noServers: "No upstream MCP servers",
    noServersNote:
      "Add them to mcpServers in the configuration file, and agents can use their tools with approvals.",
    statuses: { starting: "Connecting", ready: "Connected", failed: "Failed", stopped: "Stopped" },
    restarts: (count) => (count === 1 ? "1 restart" : `${count} restarts`),
    tools: (count) => (count === 1 ? "1 tool" : `${count} tools`),
    readOnly: "Read-only",
    checkedAlways: "A person checks every call",
    checkedOutsideTask: "A person checks calls outside tasks",
    checkedNever: "No human check",
    quarantined: "Quarantined",
    quarantinedNote: (count) =>
      count === 1
        ? "The definition of 1 tool has changed. It cannot be used until the change has been reviewed and accepted."
        : `The definitions of ${count} tools have changed. They cannot be used until the changes have been reviewed and accepted.`,
    review: "Review change…",
    reviewTitle: (name) => `Changes to ${name}`,
    reviewNote:
      "The server has changed the description or arguments of an accepted tool. Agents act on this text. Check that the change is intended.",
    before: (by) => `Before (accepted by ${by})`,
    accept: "Accept this definition",
    accepting: "Accepting…",
    onlyAdmin: "Only an admin can accept it.",
    diff: "Changes to the tool definition",
    schema: "Show definition",
  },
});
