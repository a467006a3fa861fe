import type { AuditVerified } from "../../app/people/verify-audit.ts";
import type { Texts } from "../../domain/locale.ts";

/** Why a data directory is not moved, and what to do. */
export const MOVE_PROBLEMS = {
  noDatabase: (from: string): Texts => ({
    en: `${from} has no database of SQLite, so there is nothing to move. Name the data directory that \`kuromajutsu status\` shows.`,
    ja: `${from} には SQLite のデータベースがないため、移すものがありません。\`kuromajutsu status\` が示すデータディレクトリを指定してください。`,
  }),
  daemonRuns: (dataDir: string): Texts => ({
    en: `A daemon or another migrate uses ${dataDir}. End it first: \`kuromajutsu stop --stop-agents\``,
    ja: `${dataDir} をデーモンか別の migrate が使っています。先に終了してください: \`kuromajutsu stop --stop-agents\``,
  }),
  agentsRun: (from: string, count: number): Texts => ({
    en: `${count} ${count === 1 ? "agent" : "agents"} of ${from} still ${count === 1 ? "runs" : "run"}. Start its daemon without store.url, then end everything: \`kuromajutsu stop --stop-agents\``,
    ja: `${from} のエージェントが ${count} 体まだ動いています。store.url なしでデーモンを起動してから、すべて終了してください: \`kuromajutsu stop --stop-agents\``,
  }),
  audit: ({ firstBroken }: AuditVerified): Texts => ({
    en: `Nothing was moved, because the audit has a problem at entry ${firstBroken?.seq}: ${firstBroken?.why} To move it all the same, add --force.`,
    ja: `監査の記録の ${firstBroken?.seq} 番に問題があるため、何も移していません（${firstBroken?.why}）。それでも移すには --force を付けてください。`,
  }),
  auditAfter: ({ entries, firstBroken }: AuditVerified): Texts => ({
    en: `Nothing was moved: in PostgreSQL the audit would not be the same (${entries} entries; ${firstBroken?.why ?? "another number of entries"}). The database may have other data: use an empty one.`,
    ja: `何も移していません。PostgreSQL では監査の記録が同じになりません（${entries} 件、${firstBroken?.why ?? "件数が違います"}）。別のデータがあるかもしれません。空のデータベースを使ってください。`,
  }),
} as const;
