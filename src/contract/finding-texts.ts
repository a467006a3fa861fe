import type { FindingKind } from "../domain/health/runner-check.ts";
import type { Locale } from "../domain/locale.ts";

type FindingText = (detail: string) => string;

/** What the terminal and the dashboard say about an agent CLI. Only versions use the detail. */
export const FINDING_TEXTS: Readonly<Record<Locale, Readonly<Record<FindingKind, FindingText>>>> = {
  ja: {
    "not-found": () => "インストールされていません",
    "too-old": (oldest) => `古いバージョンです（動作を確認しているのは ${oldest} 以降です）`,
    "newer-than-tested": (newest) =>
      `動作を確認しているバージョン（${newest} まで）より新しいものです`,
    "signed-out": () => "サインインしていません",
    quota: () => "プランの上限かクレジットを使い切っています",
    "rate-limit": () => "短い時間に要求が多すぎます。しばらく待ってください",
    overloaded: () => "サービスが混み合っています。しばらく待ってください",
    "directory-not-trusted": () => "作業ディレクトリが信頼されていません",
    "model-unknown": () => "モデルが使えません",
    "session-lost": () => "会話の続きが見つかりません",
    "not-started": () => "起動できません",
    timeout: () => "時間内に応答がありません。手で動かして、何を待っているか確かめてください",
    "not-connected": () => "応答しますが、Kuromajutsu に接続しないため、結果を報告できません",
    "no-mcp-entry": () =>
      "応答しますが、この CLI の設定に Kuromajutsu がないため、結果を報告できません",
    "tool-not-called": () => "接続しましたが、モデルがツールを呼び出しませんでした",
    failed: () => "実行に失敗しました",
  },
  en: {
    "not-found": () => "Not installed",
    "too-old": (oldest) => `Old version; ${oldest} and newer were tested`,
    "newer-than-tested": (newest) => `Newer than the versions that were tested (up to ${newest})`,
    "signed-out": () => "Not signed in",
    quota: () => "The plan's limit or the credit is used up",
    "rate-limit": () => "Too many requests in a short time; wait a while",
    overloaded: () => "The service is overloaded; wait a while",
    "directory-not-trusted": () => "The working directory is not trusted",
    "model-unknown": () => "The model cannot be used",
    "session-lost": () => "The conversation to continue was not found",
    "not-started": () => "Cannot be started",
    timeout: () => "No answer in time; run it by hand to see what it waits for",
    "not-connected": () => "Answers, but does not connect to Kuromajutsu, so it cannot report",
    "no-mcp-entry": () =>
      "Answers, but its settings have no entry for Kuromajutsu, so it cannot report",
    "tool-not-called": () => "Connected, but its model called no tool",
    failed: () => "The run failed",
  },
};
