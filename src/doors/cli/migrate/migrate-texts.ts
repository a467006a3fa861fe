import type { MovedData } from "../../../app/ports/store-migration.ts";
import type { Locale } from "../../../domain/locale.ts";

export type MigrateTexts = {
  readonly sqlite: string;
  readonly created: (database: string, count: number) => string;
  readonly nothing: (database: string) => string;
  readonly nowhere: string;
  readonly locked: string;
  readonly progress: (done: number, total: number) => string;
  readonly moved: (moved: MovedData, database: string) => string;
  readonly replaced: (tables: string) => string;
};

const EN: MigrateTexts = {
  sqlite:
    "Nothing to do: the data is in SQLite, which the daemon migrates when it starts. To use PostgreSQL, set store.url or KUROMAJUTSU_DATABASE_URL.",
  created: (database, count) =>
    `${database}: ${count} ${count === 1 ? "migration" : "migrations"} done. Start the daemon: \`kuromajutsu serve\``,
  nothing: (database) => `${database}: the tables are those of this version; nothing was changed.`,
  nowhere:
    "There is no database to move to. Set store.url or KUROMAJUTSU_DATABASE_URL, then run this again.",
  locked:
    "Another transaction, such as a dump or a long query, uses a table. Waiting for its end; the servers go on meanwhile.",
  progress: (done, total) => `${done} of ${total} rows`,
  moved: ({ from, dataDir, rows, files, templates, auditEntries }, database) =>
    [
      `Moved ${rows} rows of ${from} to ${database}. The audit is whole (${auditEntries} entries).`,
      ...(files === 0 ? [] : [`${files} transcripts and other files are in ${dataDir} now.`]),
      ...(templates === 0
        ? []
        : [`Saved templates that are in the database now, for every server: ${templates}`]),
      `${from} was not changed. Agents that were waiting or running are not started again.`,
      "Start the daemon: `kuromajutsu serve`",
    ].join("\n"),
  replaced: (tables) =>
    `PostgreSQL cannot store the character NUL. It was replaced by U+FFFD in these texts: ${tables}`,
};

const JA: MigrateTexts = {
  sqlite:
    "何も必要ありません。データは SQLite にあり、デーモンが起動するときに移行します。PostgreSQL を使うには、store.url か KUROMAJUTSU_DATABASE_URL を設定してください。",
  created: (database, count) =>
    `${database}: ${count} 件のマイグレーションを実行しました。デーモンを起動してください: \`kuromajutsu serve\``,
  nothing: (database) => `${database}: テーブルはこのバージョンのものです。何も変更していません。`,
  nowhere:
    "移す先のデータベースがありません。store.url か KUROMAJUTSU_DATABASE_URL を設定してから、もう一度実行してください。",
  locked:
    "ダンプや長いクエリなど、別のトランザクションがテーブルを使っています。終わるまで待ちます。その間もサーバーは動き続けます。",
  progress: (done, total) => `${done} / ${total} 行`,
  moved: ({ from, dataDir, rows, files, templates, auditEntries }, database) =>
    [
      `${from} の ${rows} 行を ${database} に移しました。監査の記録に問題はありません（${auditEntries} 件）。`,
      ...(files === 0
        ? []
        : [`トランスクリプトなど ${files} 件のファイルは ${dataDir} にあります。`]),
      ...(templates === 0
        ? []
        : [
            `保存したテンプレート ${templates} 件もデータベースに入れました。すべてのサーバーで使えます。`,
          ]),
      `${from} は変更していません。待機中や実行中だったエージェントは再開しません。`,
      "デーモンを起動してください: `kuromajutsu serve`",
    ].join("\n"),
  replaced: (tables) =>
    `PostgreSQL は文字 NUL を保存できません。次の数のテキストで U+FFFD に置き換えました: ${tables}`,
};

export const MIGRATE_TEXTS: Readonly<Record<Locale, MigrateTexts>> = { ja: JA, en: EN };
