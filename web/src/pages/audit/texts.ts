import { defineTexts } from "../../i18n/texts.ts";

export const TEXTS = defineTexts({
  ja: {
    note: "誰が、いつ、何をしたか (しようとしたか) の記録です。各行は前の行のハッシュを含むため、書き換えると検証で分かります。",
    verify: "改ざんの有無を検証",
    verifying: "検証中…",
    intact: (count: string) =>
      `${count} 件すべてのハッシュがつながっています。改ざんはありません。`,
    broken: (seq: number) => `#${seq} で記録が壊れています`,
    actor: "実施者",
    actorHint: "例: local、agent:…",
    subject: "対象",
    subjectHint: "タスク・承認・エージェントの ID、ツール名",
    filters: "絞り込み",
    clear: "絞り込みを解除",
    loaded: (count: string, hasMore: boolean) => (hasMore ? `${count} 件を表示中` : `${count} 件`),
    newer: "新しい記録があります",
    refresh: "最新にする",
    table: "監査ログ",
    columns: { at: "日時", what: "できごと", subject: "対象", data: "詳細" },
    details: (seq: number) => `#${seq} の詳細`,
    hash: "ハッシュ",
    prevHash: "前の行のハッシュ",
    onlyActor: (who: string) => `${who} だけを表示`,
    empty: "記録はまだありません",
    emptyNote: "タスクの依頼、承認、ブロックなどがここに残ります。",
    noMatch: "条件に合う記録はありません",
  },
  en: {
    note: "Who did or tried to do what, and when. Every entry contains the hash of the previous one, so tampering is detected.",
    verify: "Verify",
    verifying: "Verifying…",
    intact: (count) =>
      count === "1"
        ? "The hash of the only entry matches. Nothing was tampered with."
        : `The hashes of all ${count} entries match. Nothing was tampered with.`,
    broken: (seq) => `The log is broken at #${seq}`,
    actor: "Actor",
    actorHint: "For example local, agent:…",
    subject: "Subject",
    subjectHint: "ID of a task, approval or agent, or a tool name",
    filters: "Filters",
    clear: "Clear filters",
    loaded: (count, hasMore) =>
      hasMore ? `${count} shown` : count === "1" ? "1 entry" : `${count} entries`,
    newer: "New entries available",
    refresh: "Refresh",
    table: "Audit log",
    columns: { at: "Time", what: "What happened", subject: "Subject", data: "Details" },
    details: (seq) => `Details of #${seq}`,
    hash: "Hash",
    prevHash: "Previous hash",
    onlyActor: (who) => `Show only ${who}`,
    empty: "No entries yet",
    emptyNote: "Requests, decisions, blocks and other actions are recorded here.",
    noMatch: "No entries match",
  },
});
