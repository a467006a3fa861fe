import type { ArchiveFault, BackupProblem } from "../../../app/ports/backups.ts";
import { sizeText } from "../../../contract/size-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import { ADMIN_TEXTS } from "../admin-texts.ts";

type ProblemTexts = {
  readonly [Kind in BackupProblem["kind"]]: (
    problem: Extract<BackupProblem, { kind: Kind }>,
  ) => string;
};

export type BackupTexts = {
  readonly progress: (done: string, total: string) => string;
  readonly made: (path: string, size: string, files: number) => string;
  readonly leftOut: (names: string) => string;
  readonly auditBroken: (sentence: string) => string;
  readonly restored: (dataDir: string, createdAt: string, version: string) => string;
  readonly kept: (path: string) => string;
  readonly projectConfig: (path: string) => string;
  readonly next: (dataDir: string | undefined) => string;
  readonly problems: ProblemTexts;
};

const FAULTS_EN = (fault: ArchiveFault): string => {
  switch (fault.kind) {
    case "not-an-archive":
      return "It is not a backup of Kuromajutsu.";
    case "truncated":
      return "It ends too early, as after an interrupted copy.";
    case "changed":
      return `${fault.path} in it is not what was saved.`;
    case "foreign-entry":
      return `It has an entry that no backup has: ${fault.path}`;
  }
};

const FAULTS_JA = (fault: ArchiveFault): string => {
  switch (fault.kind) {
    case "not-an-archive":
      return "Kuromajutsu のバックアップではありません。";
    case "truncated":
      return "途中で切れています（コピーが中断された場合など）。";
    case "changed":
      return `中の ${fault.path} が保存したときの内容と違います。`;
    case "foreign-entry":
      return `バックアップにないはずの項目があります: ${fault.path}`;
  }
};

const EN: BackupTexts = {
  progress: (done, total) => `${done} of ${total}`,
  made: (path, size, files) =>
    `Saved to ${path} (${size}, ${files} ${files === 1 ? "file" : "files"}). It contains secrets: keep it like a password.`,
  leftOut: (names) =>
    `Not saved, because they are links or no files, or have too long a name: ${names}`,
  auditBroken: (sentence) => `The backup was saved, but the audit has a problem. ${sentence}`,
  restored: (dataDir, createdAt, version) =>
    `Restored to ${dataDir}: the data of ${createdAt}, saved by version ${version}.`,
  kept: (path) => `The data before is kept in ${path}; delete it when you no longer need it.`,
  projectConfig: (path) =>
    `The saved configuration file of the project is ${path}; copy it where you want it.`,
  next: (dataDir) =>
    `Start the daemon: \`${variable(dataDir)}kuromajutsu serve\`. Agents that were running or waiting are not started again.`,
  problems: {
    exists: ({ path }) =>
      `${path} exists already. Choose another name, or replace it with --force.`,
    inside: ({ path, dataDir }) =>
      `${path} is inside the data directory (${dataDir}) and would be lost with it. Choose a place outside, best on another disk.`,
    "no-folder": ({ path }) => `The folder ${path} does not exist. Create it first.`,
    "no-database": ({ dataDir }) =>
      `There is nothing to save: ${dataDir} has no database. Is this the project you mean? --config FILE names another one.`,
    postgres: ({ dataDir, command }) =>
      command === "backup"
        ? `Nothing was saved: the data is in PostgreSQL. Save the database with pg_dump, and copy ${dataDir}, which has the transcripts and the keys of the audit and of Slack.`
        : `Nothing was changed: the data is in PostgreSQL. Stop every server and restore a pg_dump with pg_restore. To use this backup of SQLite, restore it with --to DIR, then move it to an empty database: \`kuromajutsu migrate --from DIR\``,
    "no-space": ({ path, needed, free }) =>
      `There is too little space in ${path}: ${sizeText(needed)} may be needed, ${sizeText(free)} are free. Free some space, or choose another disk.`,
    "no-archive": ({ path }) => `There is no file ${path}.`,
    damaged: ({ path, fault }) =>
      `${path} cannot be used, and nothing was changed. ${FAULTS_EN(fault)} Use another backup.`,
    newer: ({ path, madeBy }) =>
      `${path} was saved by a newer Kuromajutsu (${madeBy}), and nothing was changed. Update Kuromajutsu, then restore again.`,
    audit: ({ audit }) =>
      `Nothing was changed, because the audit in the backup has a problem. ${ADMIN_TEXTS.en.audit(audit)} To restore it all the same, add --force.`,
    "daemon-runs": ({ dataDir }) =>
      `A daemon runs for ${dataDir}. End it first: \`kuromajutsu stop --stop-agents\``,
    "agents-run": ({ dataDir, count }) =>
      `${count} ${count === 1 ? "agent" : "agents"} of ${dataDir} still ${count === 1 ? "runs" : "run"}. Start the daemon, then end everything: \`kuromajutsu stop --stop-agents\``,
    "not-empty": ({ dataDir }) =>
      `${dataDir} has data already. To replace it, add --force; it is kept beside the restored one.`,
    "not-ours": ({ dataDir }) =>
      `${dataDir} has files that are not Kuromajutsu's. Choose a directory that is empty or does not exist.`,
  },
};

function variable(dataDir: string | undefined): string {
  return dataDir === undefined ? "" : `KUROMAJUTSU_DATA_DIR=${dataDir} `;
}

const JA: BackupTexts = {
  progress: (done, total) => `${done} / ${total}`,
  made: (path, size, files) =>
    `${path} に保存しました（${size}、ファイル ${files} 件）。秘密情報を含むので、パスワードと同じように保管してください。`,
  leftOut: (names) =>
    `リンクなど通常のファイルでないもの、または名前が長すぎるものは保存していません: ${names}`,
  auditBroken: (sentence) =>
    `バックアップは保存しましたが、監査の記録に問題があります。${sentence}`,
  restored: (dataDir, createdAt, version) =>
    `${dataDir} に復元しました（${createdAt} にバージョン ${version} で保存したデータ）。`,
  kept: (path) => `元のデータは ${path} に残してあります。不要になったら削除してください。`,
  projectConfig: (path) =>
    `保存してあったプロジェクトの設定ファイルは ${path} です。必要な場所にコピーしてください。`,
  next: (dataDir) =>
    `デーモンを起動してください: \`${variable(dataDir)}kuromajutsu serve\`。実行中や待機中だったエージェントは再開しません。`,
  problems: {
    exists: ({ path }) =>
      `${path} はすでにあります。別の名前にするか、--force で置き換えてください。`,
    inside: ({ path, dataDir }) =>
      `${path} はデータディレクトリ（${dataDir}）の中にあり、一緒に失われてしまいます。外の場所、できれば別のディスクを指定してください。`,
    "no-folder": ({ path }) => `フォルダー ${path} がありません。先に作成してください。`,
    "no-database": ({ dataDir }) =>
      `保存するものがありません。${dataDir} にデータベースがありません。別のプロジェクトなら --config FILE で指定してください。`,
    postgres: ({ dataDir, command }) =>
      command === "backup"
        ? `何も保存していません。データは PostgreSQL にあります。データベースは pg_dump で保存し、トランスクリプトと、監査や Slack の鍵がある ${dataDir} をコピーしてください。`
        : `何も変えていません。データは PostgreSQL にあります。すべてのサーバーを止めてから、pg_dump で保存したものを pg_restore で復元してください。この SQLite のバックアップを使うには、--to DIR で復元してから、空のデータベースに移します: \`kuromajutsu migrate --from DIR\``,
    "no-space": ({ path, needed, free }) =>
      `${path} の空き容量が足りません。最大 ${sizeText(needed)} 必要ですが、空きは ${sizeText(free)} です。空き容量を増やすか、別のディスクを指定してください。`,
    "no-archive": ({ path }) => `ファイル ${path} がありません。`,
    damaged: ({ path, fault }) =>
      `${path} は使えません。何も変えていません。${FAULTS_JA(fault)}別のバックアップを使ってください。`,
    newer: ({ path, madeBy }) =>
      `${path} は新しいバージョン（${madeBy}）の Kuromajutsu で保存されています。何も変えていません。Kuromajutsu を更新してから復元してください。`,
    audit: ({ audit }) =>
      `バックアップの監査の記録に問題があるため、何も変えていません。${ADMIN_TEXTS.ja.audit(audit)} それでも復元するには --force を付けてください。`,
    "daemon-runs": ({ dataDir }) =>
      `${dataDir} のデーモンが動いています。先に終了してください: \`kuromajutsu stop --stop-agents\``,
    "agents-run": ({ dataDir, count }) =>
      `${dataDir} のエージェントが ${count} 体まだ動いています。デーモンを起動してから、すべて終了してください: \`kuromajutsu stop --stop-agents\``,
    "not-empty": ({ dataDir }) =>
      `${dataDir} にはすでにデータがあります。置き換えるには --force を付けてください。元のデータは隣に残ります。`,
    "not-ours": ({ dataDir }) =>
      `${dataDir} には Kuromajutsu のものではないファイルがあります。空のディレクトリか、まだないディレクトリを指定してください。`,
  },
};

export const BACKUP_TEXTS: Readonly<Record<Locale, BackupTexts>> = { ja: JA, en: EN };

export function explainProblem({ problems }: BackupTexts, problem: BackupProblem): string {
  switch (problem.kind) {
    case "exists":
      return problems.exists(problem);
    case "inside":
      return problems.inside(problem);
    case "no-folder":
      return problems["no-folder"](problem);
    case "no-database":
      return problems["no-database"](problem);
    case "postgres":
      return problems.postgres(problem);
    case "no-space":
      return problems["no-space"](problem);
    case "no-archive":
      return problems["no-archive"](problem);
    case "damaged":
      return problems.damaged(problem);
    case "newer":
      return problems.newer(problem);
    case "audit":
      return problems.audit(problem);
    case "daemon-runs":
      return problems["daemon-runs"](problem);
    case "agents-run":
      return problems["agents-run"](problem);
    case "not-empty":
      return problems["not-empty"](problem);
    case "not-ours":
      return problems["not-ours"](problem);
  }
}
