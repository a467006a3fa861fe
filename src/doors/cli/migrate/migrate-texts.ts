import type { Locale } from "../../../domain/locale.ts";

export type MigrateTexts = {
  readonly sqlite: string;
  readonly created: (database: string, count: number) => string;
  readonly nothing: (database: string) => string;
};

const EN: MigrateTexts = {
  sqlite:
    "Nothing to do: the data is in SQLite, which the daemon migrates when it starts. To use PostgreSQL, set store.url or KUROMAJUTSU_DATABASE_URL.",
  created: (database, count) =>
    `${database}: ${count} ${count === 1 ? "migration" : "migrations"} done. Start the daemon: \`kuromajutsu serve\``,
  nothing: (database) => `${database}: the tables are those of this version; nothing was changed.`,
};

const JA: MigrateTexts = {
  sqlite:
    "何も必要ありません。データは SQLite にあり、デーモンが起動するときに移行します。PostgreSQL を使うには、store.url か KUROMAJUTSU_DATABASE_URL を設定してください。",
  created: (database, count) =>
    `${database}: ${count} 件のマイグレーションを実行しました。デーモンを起動してください: \`kuromajutsu serve\``,
  nothing: (database) => `${database}: テーブルはこのバージョンのものです。何も変更していません。`,
};

export const MIGRATE_TEXTS: Readonly<Record<Locale, MigrateTexts>> = { ja: JA, en: EN };
