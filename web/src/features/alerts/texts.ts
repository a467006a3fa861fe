import type { WireAlert } from "../../../../src/contract/shapes/alerts.ts";
import { defineTexts } from "../../i18n/texts.ts";

type Kinds = Record<WireAlert["kind"], string>;

const KIND_JA: Kinds = {
  "task.waiting": "タスクの対応待ち",
  "task.completed": "タスクの完了",
  "task.failed": "タスクの失敗",
  "task.cancelled": "タスクの中止",
  "group.completed": "グループの完了",
  "group.failed": "グループの失敗",
  "agent.waiting": "エージェントの対応待ち",
  "agent.completed": "エージェントの完了",
  "agent.failed": "エージェントの失敗",
  "schedule.paused": "スケジュールの自動停止",
};

const KIND_EN: Kinds = {
  "task.waiting": "Task waiting for a person",
  "task.completed": "Task completed",
  "task.failed": "Task failed",
  "task.cancelled": "Task cancelled",
  "group.completed": "Group finished",
  "group.failed": "Group failed",
  "agent.waiting": "Agent waiting for a person",
  "agent.completed": "Agent finished",
  "agent.failed": "Agent failed",
  "schedule.paused": "Schedule paused itself",
};

export const TEXTS = defineTexts({
  ja: {
    kind: KIND_JA,
    title: "アラート",
    rulesNote: "待っているもの、終わったもの、失敗したものを、この規則に従って人に知らせます。",
    none: "アラートの規則はありません",
    noneNote: "設定ファイルの alerts.rules に規則を書くと、ここに表示されます。例:",
    on: "知らせること",
    to: "送り先",
    people: "知らせる人",
    requester: "依頼者",
    all: "全員",
    quiet: "静かにする時間",
    quietHours: (from: string, to: string, zone: string | null) =>
      `${from}〜${to}${zone === null ? "" : ` (${zone})`}`,
    days: { sun: "日", mon: "月", tue: "火", wed: "水", thu: "木", fri: "金", sat: "土" },
    daysGap: "・",
    digest: "まとめて送る",
    digestEvery: (span: string) => `${span}ごと`,
    urgent: "対応待ちはすぐに送る",
    test: "テストを送る",
    testOf: (target: string) => `${target} にテストを送る`,
    tested: (ms: string) => `送信しました (${ms} ミリ秒)`,
    notSent: "送信できませんでした",
    browser: "ブラウザー",
    webhook: (name: string) => `Webhook ${name}`,
    slack: (place: string) => `Slack ${place}`,
    slackRequester: "Slack（依頼者）",
    mine: "あなたへのアラート",
    unread: (count: number) => `未読 ${count} 件`,
    raised: (count: number) => `アラートが ${count} 件あります`,
    isTest: "アラートのテストです",
    isTestNote: "このブラウザーにアラートが届きます。",
    failures: "届かなかったアラート",
    failuresNote: "送信できず、打ち切ったアラートです。",
    failed: (count: number) => `${count} 件を送れませんでした`,
  },
  en: {
    kind: KIND_EN,
    title: "Alerts",
    rulesNote: "These rules say which people learn what waits, finished or failed.",
    none: "There are no rules for alerts",
    noneNote: "Rules in alerts.rules of the configuration file are shown here. For example:",
    on: "What",
    to: "Where",
    people: "People",
    requester: "The requester",
    all: "Everyone",
    quiet: "Quiet hours",
    quietHours: (from, to, zone) => `${from}–${to}${zone === null ? "" : ` (${zone})`}`,
    days: { sun: "Sun", mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat" },
    daysGap: ", ",
    digest: "Digest",
    digestEvery: (span) => `Every ${span}`,
    urgent: "What waits for a person is sent at once",
    test: "Send a test",
    testOf: (target) => `Send a test to ${target}`,
    tested: (ms) => `Sent (${ms} ms)`,
    notSent: "Not sent",
    browser: "Browser",
    webhook: (name) => `Webhook ${name}`,
    slack: (place) => `Slack ${place}`,
    slackRequester: "Slack (requester)",
    mine: "Alerts for you",
    unread: (count) => `${count} unread`,
    raised: (count) => `${count} alerts`,
    isTest: "This is a test of the alerts",
    isTestNote: "Alerts reach this browser.",
    failures: "Alerts that were not delivered",
    failuresNote: "They could not be sent and were given up.",
    failed: (count) => `${count} not delivered`,
  },
});
export type AlertWords = (typeof TEXTS)["ja"];

/** A target in words, such as "Webhook ops". */
export function targetWords(target: string, text: AlertWords): string {
  const [kind = "", ...rest] = target.split(":");
  const place = rest.join(":");
  if (kind === "browser") return text.browser;
  if (kind === "webhook") return text.webhook(place);
  return place === "requester" ? text.slackRequester : text.slack(place.replace(/^person:/, "@"));
}
