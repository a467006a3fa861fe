import { nameCommands } from "../../../base/command-name.ts";
import { CONFIG_OPTION, defineCommand } from "../define-command.ts";
import { MIGRATE_TEXTS } from "../migrate/migrate-texts.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

export const migrate = defineCommand({
  name: "migrate",
  summary: {
    en: "create or upgrade the tables of the PostgreSQL database of store.url",
    ja: "store.url の PostgreSQL データベースに、テーブルを作成または更新します",
  },
  details: {
    en: "Run it once before the first start with PostgreSQL, and after an update of Kuromajutsu. Several at once are safe, and it may be repeated. With SQLite there is nothing to do.\n\nExit codes: 0 the tables are those of this version, 1 nothing was changed.",
    ja: "PostgreSQL で初めて起動する前と、Kuromajutsu を更新した後に一度実行します。同時に実行しても、繰り返しても安全です。SQLite では何も必要ありません。\n\n終了コード: 0 テーブルがこのバージョンのものになった、1 何も変更していない。",
  },
  examples: ["kuromajutsu migrate"],
  arguments: {},
  options: { ...CONFIG_OPTION },
  async run(cli) {
    await refuseAgents(cli, "migrate");
    const texts = MIGRATE_TEXTS[await cli.locale()];
    const migration = await cli.migration();
    const say = (text: string) =>
      writeWrapped(process.stdout, `${nameCommands(text, cli.command)}\n`);
    if (migration.database === null) {
      say(texts.sqlite);
      return 0;
    }
    const done = await migration.migrate();
    for (const name of done) process.stdout.write(`${name}\n`);
    say(
      done.length === 0
        ? texts.nothing(migration.database)
        : texts.created(migration.database, done.length),
    );
    return 0;
  },
});
