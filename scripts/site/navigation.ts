import type { Locale } from "../../src/domain/locale.ts";

type Words = Readonly<Record<Locale, string>>;

export type Page = {
  /** The file below docs/ without its ending: `tasks` is docs/tasks.md and docs/tasks.ja.md. */
  readonly file: string;
  readonly title: Words;
};

export type Section = { readonly title: Words; readonly pages: readonly Page[] };

const page = (file: string, en: string, ja: string): Page => ({ file, title: { en, ja } });

/** Every page of the site, in the order of reading. A document that is not listed is not published. */
export const SECTIONS: readonly Section[] = [
  {
    title: { en: "Start", ja: "はじめに" },
    pages: [
      page("index", "Start", "はじめに"),
      page("concepts", "Concepts", "しくみ"),
      page("recipes", "Usage recipes", "使い方のレシピ"),
    ],
  },
  {
    title: { en: "Guides", ja: "ガイド" },
    pages: [
      page("tasks", "Tasks", "タスク"),
      page("isolation", "Worktrees and changes", "作業ツリーと変更"),
      page("terminal", "In the terminal", "端末で使う"),
      page("templates", "Templates", "テンプレート"),
      page("schedules", "Schedules", "スケジュール"),
      page("clients", "MCP clients", "MCP クライアント"),
      page("runners", "Runners", "ランナー"),
      page("gateway", "Gateway", "ゲートウェイ"),
      page("people", "People and sign-in", "利用者とサインイン"),
      page("slack", "Slack", "Slack"),
      page("alerts", "Alerts", "アラート"),
      page("rehearsal", "Rehearsal", "リハーサル"),
    ],
  },
  {
    title: { en: "Operating it", ja: "運用" },
    pages: [
      page("operations", "Operations", "運用"),
      page("docker", "Docker", "Docker"),
      page("scale", "PostgreSQL", "PostgreSQL"),
      page("telemetry", "OpenTelemetry", "OpenTelemetry"),
    ],
  },
  {
    title: { en: "Reference", ja: "リファレンス" },
    pages: [
      page("commands", "Commands", "コマンド"),
      page("configuration", "Configuration", "設定"),
      page("mcp-tools", "MCP tools", "MCP ツール"),
      page("rest-and-live", "REST and live events", "REST とライブイベント"),
      page("slack-cards", "Slack cards", "Slack のカード"),
      page("glossary", "Glossary", "用語集"),
      page("spec", "Specification", "仕様"),
    ],
  },
  {
    title: { en: "Contributing", ja: "開発" },
    pages: [
      page("contributing", "First changes", "はじめての変更"),
      page("architecture", "Architecture", "アーキテクチャ"),
      page("map", "Map of the code", "コードの地図"),
      page("runner-facts", "Facts about the agent CLIs", "エージェント CLI の実測"),
      page("writing", "How we write", "文章の書き方"),
    ],
  },
];

export const PAGES: readonly Page[] = SECTIONS.flatMap(({ pages }) => pages);
