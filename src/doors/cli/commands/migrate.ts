import type { StoreMigration } from "../../../app/ports/store-migration.ts";
import { nameCommands } from "../../../base/command-name.ts";
import { CONFIG_OPTION, defineCommand, flag, option } from "../define-command.ts";
import { MIGRATE_TEXTS, type MigrateTexts } from "../migrate/migrate-texts.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { showProgress } from "../screen/show-progress.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

export const migrate = defineCommand({
  name: "migrate",
  summary: {
    en: "create or upgrade the tables of the PostgreSQL database of store.url",
    ja: "store.url の PostgreSQL データベースに、テーブルを作成または更新します",
  },
  details: {
    en: "Run it once before the first start with PostgreSQL, and after an update of Kuromajutsu. Several at once are safe, and it may be repeated. With SQLite there is nothing to do.\n\n--from copies everything of a data directory with SQLite into an empty database, and its transcripts into the data directory in use here. Its daemon must be stopped. It is not changed, and the command may be repeated after an interruption. Agents that were waiting or running are not started again.\n\nExit codes: 0 done, 1 nothing was changed, or a --from was interrupted and can be repeated.",
    ja: "PostgreSQL で初めて起動する前と、Kuromajutsu を更新した後に一度実行します。同時に実行しても、繰り返しても安全です。SQLite では何も必要ありません。\n\n--from は、SQLite のデータディレクトリにあるすべてを空のデータベースへ、トランスクリプトをここで使うデータディレクトリへコピーします。元のデーモンは停止しておいてください。元のデータは変更せず、中断しても繰り返せます。待機中や実行中だったエージェントは再開しません。\n\n終了コード: 0 完了した、1 何も変更していない、または --from が中断された（繰り返せます）。",
  },
  examples: ["kuromajutsu migrate", "kuromajutsu migrate --from ~/.local/state/kuromajutsu/app"],
  arguments: {},
  options: {
    from: option("DIR", {
      en: "also move the data of this data directory, which has SQLite",
      ja: "SQLite を使うこのデータディレクトリのデータも移します",
    }),
    force: flag({
      en: "with --from: move it although its audit is broken",
      ja: "--from で、監査の記録に問題があっても移します",
    }),
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { from, force }) {
    await refuseAgents(cli, "migrate");
    const texts = MIGRATE_TEXTS[await cli.locale()];
    const migration = await cli.migration();
    const { database } = migration;
    const say = (text: string) =>
      writeWrapped(process.stdout, `${nameCommands(text, cli.command)}\n`);
    if (database === null) {
      if (from !== undefined) throw new Error(texts.nowhere);
      say(texts.sqlite);
      return 0;
    }
    let isWaiting = false;
    const done = await migration.migrate(() => {
      if (!isWaiting) say(texts.locked);
      isWaiting = true;
    });
    for (const name of done) process.stdout.write(`${name}\n`);
    if (from !== undefined) say(await move(migration, { texts, from, force, database }));
    else if (done.length === 0) say(texts.nothing(database));
    else say(texts.created(database, done.length));
    return 0;
  },
});

type Move = {
  readonly texts: MigrateTexts;
  readonly from: string;
  readonly force: boolean;
  readonly database: string;
};

/** Returns what to say about it. */
async function move(migration: StoreMigration, options: Move): Promise<string> {
  const { texts, from, force, database } = options;
  const progress = showProgress(texts.progress);
  try {
    const moved = await migration.move({ from, force, onProgress: progress.update });
    const tables = Object.entries(moved.replaced).map(([table, count]) => `${table} ${count}`);
    const lines = [
      texts.moved(moved, database),
      ...(tables.length === 0 ? [] : [texts.replaced(tables.join(", "))]),
    ];
    return lines.join("\n");
  } finally {
    progress.clear();
  }
}
