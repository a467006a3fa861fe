import type { ServicePlan, ServiceProblem } from "../../../app/ports/service.ts";
import type { Locale } from "../../../domain/locale.ts";

export type ServiceTexts = {
  readonly willWrite: (path: string) => string;
  readonly secrets: (path: string) => string;
  readonly willRun: string;
  readonly ask: string;
  readonly sayYes: string;
  readonly nothing: string;
  readonly installed: (plan: ServicePlan) => string;
  readonly linger: string;
  readonly asRoot: string;
  readonly removed: (plan: ServicePlan) => string;
  readonly notInstalled: (path: string) => string;
  readonly failed: (command: string, said: string) => string;
  readonly problems: Readonly<Record<ServiceProblem["kind"], string>>;
};

const EN: ServiceTexts = {
  willWrite: (path) => `This file is written to ${path}:`,
  secrets: (path) => `Keys and tokens go into ${path} (mode 0600), one NAME=value per line.`,
  willRun: "Then this is run:",
  ask: "Install it? [y/n] ",
  sayYes: "Nothing was changed. Without a terminal, add --yes to install it.",
  nothing: "Nothing was changed.",
  installed: ({ name }) =>
    `${name} is installed and running. Agents outlive its restarts; a shutdown of the machine ends them.`,
  linger: "So that it also runs while you are not logged in: loginctl enable-linger",
  asRoot:
    "Only root may do this. As root, write the file and run the commands above, or run this command again with sudo and --as USER.",
  removed: ({ name, environmentFile }) =>
    `${name} is removed. The data and ${environmentFile} are still there. Agents that were running go on; kuromajutsu stop --stop-agents ends them.`,
  notInstalled: (path) => `The service is not installed (${path} does not exist).`,
  failed: (command, said) => `${command} failed: ${said}`,
  problems: {
    container:
      "There is no systemd in this container. Let the container itself be restarted instead (restart: unless-stopped, docs/docker.md). --print shows the unit for a machine with systemd.",
    "no-systemd":
      "systemd does not run on this machine. Let your own supervisor run `kuromajutsu serve`, and let it signal only that process when it restarts it. --print shows the unit for a machine with systemd.",
    platform: "Services are supported with systemd (Linux) and launchd (macOS).",
    npx: "npx may delete this program at any time. Install it first: npm install -g kuromajutsu",
    root: "Agents would run as root. Name a user who may run them: sudo kuromajutsu service install --system --as USER",
  },
};

const JA: ServiceTexts = {
  willWrite: (path) => `${path} に次の内容を書き込みます:`,
  secrets: (path) =>
    `キーやトークンは ${path}（モード 0600）に、1 行に 1 つ NAME=value の形で書きます。`,
  willRun: "続けて次のコマンドを実行します:",
  ask: "インストールしますか? [y/n] ",
  sayYes: "何も変えていません。端末以外からインストールするには --yes を付けてください。",
  nothing: "何も変えていません。",
  installed: ({ name }) =>
    `${name} をインストールし、起動しました。再起動してもエージェントは動き続けます。マシンをシャットダウンすると終了します。`,
  linger: "ログインしていない間も動かすには: loginctl enable-linger",
  asRoot:
    "この操作には root 権限が必要です。root で上のファイルを書いてコマンドを実行するか、sudo と --as USER を付けてもう一度実行してください。",
  removed: ({ name, environmentFile }) =>
    `${name} を削除しました。データと ${environmentFile} は残っています。動作中だったエージェントは動き続けます。終了するには kuromajutsu stop --stop-agents を実行してください。`,
  notInstalled: (path) => `サービスはインストールされていません（${path} がありません）。`,
  failed: (command, said) => `${command} が失敗しました: ${said}`,
  problems: {
    container:
      "このコンテナーには systemd がありません。代わりにコンテナー自体を再起動させてください（restart: unless-stopped、docs/docker.md）。systemd のあるマシン用のユニットは --print で表示できます。",
    "no-systemd":
      "このマシンでは systemd が動いていません。お使いのスーパーバイザーで `kuromajutsu serve` を動かし、再起動のときはそのプロセスだけにシグナルを送ってください。systemd のあるマシン用のユニットは --print で表示できます。",
    platform: "サービスは systemd（Linux）と launchd（macOS）で使えます。",
    npx: "npx のプログラムはいつ削除されるかわかりません。先にインストールしてください: npm install -g kuromajutsu",
    root: "エージェントが root で動いてしまいます。動かすユーザーを指定してください: sudo kuromajutsu service install --system --as USER",
  },
};

export const SERVICE_TEXTS: Readonly<Record<Locale, ServiceTexts>> = { ja: JA, en: EN };
