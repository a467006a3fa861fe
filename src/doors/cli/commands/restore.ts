import { nameCommands } from "../../../base/command-name.ts";
import { ADMIN_TEXTS } from "../admin-texts.ts";
import { BACKUP_TEXTS } from "../backup/backup-texts.ts";
import { withProgress } from "../backup/with-progress.ts";
import { argument, CONFIG_OPTION, defineCommand, flag, option } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

export const restore = defineCommand({
  name: "restore",
  summary: {
    en: "put the data of a backup in place; the daemon must be stopped",
    ja: "バックアップのデータを元に戻します。デーモンは停止しておいてください",
  },
  details: {
    en: "Everything is unpacked and verified beside the data directory first; if anything is wrong, nothing changes. Agents that were running or waiting when the backup was made are not started again.\n\nExit codes: 0 restored, 1 nothing was changed.",
    ja: "まずデータディレクトリの隣に展開して検証し、問題があれば何も変えません。バックアップ時に実行中や待機中だったエージェントは再開しません。\n\n終了コード: 0 復元した、1 何も変えなかった。",
  },
  examples: [
    "kuromajutsu restore kuromajutsu.backup",
    "kuromajutsu restore kuromajutsu.backup --to /srv/kuromajutsu",
  ],
  arguments: { file: argument({ en: "the backup", ja: "バックアップのファイル" }) },
  options: {
    to: option("DIR", {
      en: "restore to this data directory (default: the one in use here)",
      ja: "復元先のデータディレクトリ（省略時はここで使っているもの）",
    }),
    force: flag({
      en: "replace existing data, which is kept beside it, and accept a broken audit",
      ja: "既存のデータを置き換え（元のデータは隣に残します）、監査の記録の問題も受け入れます",
    }),
    ...CONFIG_OPTION,
  },
  async run(cli, { file }, { to, force }) {
    await refuseAgents(cli, "restore");
    const texts = BACKUP_TEXTS[await cli.locale()];
    const backups = await cli.backups();
    const restored = await withProgress({ texts, program: cli.command }, (onProgress) =>
      backups.restore({ file, to, force, onProgress }),
    );
    if (restored === undefined) return 1;
    const { dataDir, createdAt, version, kept, projectConfig, audit, isInUse } = restored;
    const lines = [
      texts.restored(dataDir, createdAt, version),
      ADMIN_TEXTS[await cli.locale()].audit(audit),
      ...(kept === undefined ? [] : [texts.kept(kept)]),
      ...(projectConfig === undefined ? [] : [texts.projectConfig(projectConfig)]),
      nameCommands(texts.next(isInUse ? undefined : dataDir), cli.command),
    ];
    writeWrapped(process.stdout, `${lines.join("\n")}\n`);
    return 0;
  },
});
