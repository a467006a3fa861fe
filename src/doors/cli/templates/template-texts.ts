import type { AgentStatus } from "../../../domain/agents/agent.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { TemplateKind, TemplateSource } from "../../../domain/templates/template.ts";

/** What the commands `kuromajutsu template …` say. */
export type TemplateTexts = {
  readonly kind: Record<TemplateKind, string>;
  readonly mode: Record<"concurrent" | "sequential" | "magentic", string>;
  readonly source: Record<TemplateSource, string>;
  readonly untrusted: string;
  readonly needsServers: (names: string) => string;
  readonly needsRoles: (names: string) => string;
  readonly problems: (count: number) => string;
  readonly howToUse: (program: string, id: string) => string;
  readonly values: string;
  readonly required: string;
  readonly usual: (text: string) => string;
  readonly choices: (texts: string) => string;
  readonly file: string;
  readonly notPairs: (text: string) => string;
  readonly missing: (program: string, id: string, names: readonly string[]) => string;
  readonly askValue: (label: string, usual: string | undefined) => string;
  readonly askChoice: (count: number, usual: string | undefined) => string;
  readonly empty: string;
  readonly readUntrusted: (path: string) => string;
  readonly confirmUntrusted: string;
  readonly notConfirmed: (program: string) => string;
  readonly started: (groupId: string, agents: number) => string;
  readonly follow: (url: string) => string;
  readonly stage: (number: number, total: number) => string;
  readonly agent: Record<AgentStatus, string>;
  readonly ended: (succeeded: number, total: number) => string;
  readonly detached: string;
  readonly roleChange: (path: string) => string;
  readonly confirmRole: (roleId: string) => string;
  readonly roleNeedsAnswer: string;
  readonly roleAdded: (roleId: string, path: string) => string;
  readonly saved: (id: string, path: string) => string;
  readonly removed: (id: string) => string;
  readonly secretsRemoved: (count: number) => string;
  readonly overwrite: (id: string) => string;
};

const ja: TemplateTexts = {
  kind: { task: "タスク", group: "グループ", role: "職種" },
  mode: { concurrent: "同時", sequential: "順番", magentic: "オーケストレーター" },
  source: { builtin: "組み込み", saved: "保存済み", user: "自分用", folder: "このフォルダー" },
  untrusted: "信頼していないフォルダー",
  needsServers: (names) => `必要な MCP サーバーが設定にありません: ${names}`,
  needsRoles: (names) => `必要な職種がありません: ${names}`,
  problems: (count) => `使えないファイルが ${count} 件あります:`,
  howToUse: (program, id) => `使うには: ${program} template use ${id}`,
  values: "入力する値:",
  required: "必須",
  usual: (text) => `既定: ${text}`,
  choices: (texts) => `選択肢: ${texts}`,
  file: "ファイル",
  notPairs: (text) => `--set には「名前=値」を指定してください。「${text}」には = がありません。`,
  missing: (program, id, names) =>
    `値が足りません: ${names.join("、")}。次のように指定してください: ${program} template use ${id} ${names.map((name) => `--set ${name}=…`).join(" ")}`,
  askValue: (label, usual) => (usual === undefined ? `${label}: ` : `${label} [${usual}]: `),
  askChoice: (count, usual) =>
    usual === undefined ? `番号 (1〜${count}): ` : `番号 (1〜${count}) [${usual}]: `,
  empty: "値を入力してください。",
  readUntrusted: (path) =>
    `このテンプレートは、信頼していないフォルダーのファイルです: ${path}\n次の文章がそのままエージェントに渡されます。`,
  confirmUntrusted: "内容を読みました。使いますか? (y/n) ",
  notConfirmed: (program) =>
    `使いませんでした。対話できる端末で内容を確認するか、${program} trust で設定ファイルを信頼してください。`,
  started: (groupId, agents) => `${groupId} を始めました（エージェント ${agents} 体）。`,
  follow: (url) => `ダッシュボード: ${url}`,
  stage: (number, total) => `ステージ ${number}/${total}`,
  agent: {
    queued: "待機中",
    running: "実行中",
    completed: "完了",
    failed: "失敗",
    timedOut: "時間切れ",
    cancelled: "停止",
    lost: "行方不明",
    resultReported: "報告済み",
  },
  ended: (succeeded, total) => `${total} 体のうち ${succeeded} 体が成功しました。`,
  detached: "表示を終えました。グループはそのまま続きます。",
  roleChange: (path) => `${path} に次の行を加えます:`,
  confirmRole: (roleId) => `職種 ${roleId} を加えますか? (y/n) `,
  roleNeedsAnswer: "加えませんでした。加えるには、内容を確認して --yes を付けてください。",
  roleAdded: (roleId, path) => `職種 ${roleId} を ${path} に加えました。すぐに使えます。`,
  saved: (id, path) => `テンプレート ${id} を保存しました: ${path}`,
  removed: (id) => `テンプレート ${id} を削除しました。`,
  secretsRemoved: (count) => `秘密情報と思われる ${count} か所は *** に置き換えました。`,
  overwrite: (id) => `テンプレート ${id} はすでにあります。上書きしますか? (y/n) `,
};

const en: TemplateTexts = {
  kind: { task: "task", group: "group", role: "role" },
  mode: { concurrent: "concurrent", sequential: "sequential", magentic: "orchestrator" },
  source: { builtin: "built in", saved: "saved", user: "your own", folder: "this folder" },
  untrusted: "a folder that is not trusted",
  needsServers: (names) => `Needs MCP servers that are not configured: ${names}`,
  needsRoles: (names) => `Needs roles that do not exist: ${names}`,
  problems: (count) => (count === 1 ? "1 file cannot be used:" : `${count} files cannot be used:`),
  howToUse: (program, id) => `Use it: ${program} template use ${id}`,
  values: "Values:",
  required: "required",
  usual: (text) => `default: ${text}`,
  choices: (texts) => `choices: ${texts}`,
  file: "file",
  notPairs: (text) => `--set takes NAME=VALUE; "${text}" has no =.`,
  missing: (program, id, names) =>
    `${names.length === 1 ? "A value is" : "Values are"} missing: ${names.join(", ")}. Give ${names.length === 1 ? "it" : "them"} like this: ${program} template use ${id} ${names.map((name) => `--set ${name}=…`).join(" ")}`,
  askValue: (label, usual) => (usual === undefined ? `${label}: ` : `${label} [${usual}]: `),
  askChoice: (count, usual) =>
    usual === undefined ? `Number (1-${count}): ` : `Number (1-${count}) [${usual}]: `,
  empty: "Please enter a value.",
  readUntrusted: (path) =>
    `This template is a file of a folder that is not trusted: ${path}\nAgents get the following texts as they are.`,
  confirmUntrusted: "I have read them. Use the template? (y/n) ",
  notConfirmed: (program) =>
    `Not used. Read the texts in an interactive terminal, or trust the configuration file: ${program} trust.`,
  started: (groupId, agents) =>
    `Started ${groupId} with ${agents} ${agents === 1 ? "agent" : "agents"}.`,
  follow: (url) => `Dashboard: ${url}`,
  stage: (number, total) => `stage ${number}/${total}`,
  agent: {
    queued: "queued",
    running: "running",
    completed: "completed",
    failed: "failed",
    timedOut: "timed out",
    cancelled: "stopped",
    lost: "lost",
    resultReported: "reported",
  },
  ended: (succeeded, total) =>
    `${succeeded} of ${total} ${total === 1 ? "agent" : "agents"} succeeded.`,
  detached: "Detached. The group goes on.",
  roleChange: (path) => `These lines are added to ${path}:`,
  confirmRole: (roleId) => `Add the role ${roleId}? (y/n) `,
  roleNeedsAnswer: "Not added. Look at the lines, and add --yes to add the role.",
  roleAdded: (roleId, path) => `The role ${roleId} was added to ${path}. It can be used at once.`,
  saved: (id, path) => `Saved the template ${id}: ${path}`,
  removed: (id) => `Removed the template ${id}.`,
  secretsRemoved: (count) =>
    count === 1
      ? "1 text that looked like a secret was replaced by ***."
      : `${count} texts that looked like secrets were replaced by ***.`,
  overwrite: (id) => `There is a template ${id} already. Overwrite it? (y/n) `,
};

export const TEMPLATE_TEXTS: Readonly<Record<Locale, TemplateTexts>> = { ja, en };
