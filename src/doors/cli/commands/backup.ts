import { sizeText } from "../../../contract/size-text.ts";
import { ADMIN_TEXTS } from "../admin-texts.ts";
import { BACKUP_TEXTS } from "../backup/backup-texts.ts";
import { withProgress } from "../backup/with-progress.ts";
import { argument, CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";
import { refuseAgents } from "../refuse-agents.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

export const backup = defineCommand({
  name: "backup",
  summary: {
    en: "save everything the daemon knows in one file, also while it runs",
    ja: "デーモンのすべてのデータを 1 つのファイルに保存します。動作中でも使えます",
  },
  details: {
    en: "The file has tasks, results, transcripts, the audit with its key, and the people. Only you can read it (mode 0600): keep it like a password. Vendor keys are never in it.\n\nExit codes: 0 saved, 1 not saved, or saved with a broken audit.",
    ja: "タスク、結果、トランスクリプト、監査の記録とその鍵、利用者が入ります。読めるのはあなただけです（モード 0600）。パスワードと同じように保管してください。AI サービスの API キーは入りません。\n\n終了コード: 0 保存した、1 保存できなかった、または監査の記録に問題がある。",
  },
  examples: [
    "kuromajutsu backup kuromajutsu.backup",
    "kuromajutsu backup --force /var/backups/kuro",
  ],
  arguments: { file: argument({ en: "the file to write", ja: "書き込むファイル" }) },
  options: {
    withConfig: flag({
      en: "also save the configuration file of this project",
      ja: "このプロジェクトの設定ファイルも保存します",
    }),
    force: flag({ en: "replace an existing file", ja: "既存のファイルを置き換えます" }),
    ...CONFIG_OPTION,
  },
  async run(cli, { file }, { withConfig, force }) {
    await refuseAgents(cli, "backup");
    const texts = BACKUP_TEXTS[await cli.locale()];
    const backups = await cli.backups();
    const made = await withProgress({ texts, program: cli.command }, (onProgress) =>
      backups.make({ file, withConfig, force, onProgress }),
    );
    if (made === undefined) return 1;
    writeWrapped(process.stdout, `${texts.made(made.path, sizeText(made.bytes), made.files)}\n`);
    if (made.leftOut.length > 0) {
      writeWrapped(process.stderr, `${texts.leftOut(made.leftOut.join(", "))}\n`);
    }
    if (made.audit.ok) return 0;
    writeWrapped(
      process.stderr,
      `${texts.auditBroken(ADMIN_TEXTS[await cli.locale()].audit(made.audit))}\n`,
    );
    return 1;
  },
});
