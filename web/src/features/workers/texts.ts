import { defineTexts } from "../../i18n/texts.ts";

export const TEXTS = defineTexts({
  ja: {
    note: "サーバーのためにエージェントを動かす、ほかのマシンです。",
    count: (count: string) => `${count} 台`,
    summary: (connected: string, free: string) =>
      `受け付け中 ${connected} 台 · 空きスロット ${free}`,
    idleSlots: (slots: string, most: string) =>
      `ワーカーのスロットは ${slots} ですが、同時に動くのは全体で ${most} 体までです。すべて使うには、設定の agent.maxConcurrent を増やしてください。`,
    needsPostgres: "ワーカーには PostgreSQL が必要です。",
    needsPostgresBody: "このデーモンは SQLite を使っています。切り替える方法の説明:",
    guide: "docs/scale.ja.md",
    none: "ワーカーはまだありません",
    noneAdmin:
      "ワーカーを追加すると、ほかのマシンでもエージェントを動かせます。データベースへの接続も、開いたポートも要りません。",
    noneOthers: "ワーカーは管理者が追加します。今はサーバーだけがエージェントを動かします。",
    states: {
      connected: "接続中",
      draining: "終了待ち",
      left: "停止中",
      lost: "応答なし",
      never: "未接続",
    },
    stateNotes: {
      connected: null,
      draining: "新しいエージェントを受け付けず、実行中のものが終わるのを待っています。",
      left: null,
      lost: "リースの時間、連絡がありませんでした。ここで動いていたエージェントは行方不明です。",
      never: "トークンは作成済みです。そのマシンでワーカーを起動すると接続します。",
    },
    load: (name: string) => `${name} の負荷`,
    loadOf: (agents: string, slots: string) => `エージェント ${agents} / ${slots}`,
    loadOnly: (agents: string) => `エージェント ${agents}`,
    noSlots: "スロットなし",
    labels: "ラベル",
    allowed: "許可するラベル",
    runners: (names: string) => `ランナー: ${names}`,
    noRunners: "ランナーなし",
    runnerProblems: {
      "signed-out": (runner: string) =>
        `${runner} がサインアウトしています。そのマシンでサインインしてください。5 分間は、ほかのホストで動かします。`,
      "not-installed": (runner: string) =>
        `${runner} が見つかりません。そのマシンにインストールしてください。5 分間は、ほかのホストで動かします。`,
    },
    versionDiffers: (server: string) => `サーバーは ${server}`,
    seen: "最終確認",
    via: (host: string) => `接続先 ${host}`,
    serverUnknown: "不明なサーバー",
    add: "ワーカーを追加",
    addTitle: "ワーカーの追加",
    name: "名前",
    nameHelp: "マシンがわかる名前にします。例: build-1",
    nameError: "小文字の英字、数字、. _ - だけで、40 文字以内にしてください。",
    labelsField: "許可するラベル (任意)",
    labelsHelp:
      "空白かカンマで区切ります。例: gpu repo:app。空にすると、ワーカーはどのラベルでも名乗れます。",
    labelError: (label: string) =>
      `「${label}」はラベルに使えません。小文字の英字、数字、. _ : / - だけにしてください。`,
    labelsMany: "ラベルは 20 個までです。",
    addGo: "トークンを作成",
    added: (name: string) => `ワーカー ${name} を追加しました`,
    tokenOnce: "トークンが表示されるのは今だけです。閉じる前にコピーしてください。",
    stepToken: (file: string) =>
      `そのマシンの ${file} にトークンを保存します。自分だけが読めるファイルにします (chmod 600)。`,
    stepCommand: "そのマシンで、ワーカーを起動します。",
    stepState: "接続すると、ここに表示されます。",
    copyToken: "トークンをコピー",
    copyCommand: "コマンドをコピー",
    originLocal:
      "このアドレスはこのマシンでしか使えません。ほかのマシンから届くサーバーのアドレス (https) に置き換えてください。",
    originInsecure: "ワーカーは https でつながります。https のアドレスに置き換えてください。",
    done: "完了",
    revoke: "取り消す",
    revokeOf: (name: string) => `${name} を取り消す`,
    revokeTitle: (name: string) => `ワーカー ${name} を取り消しますか?`,
    revokeBody:
      "トークンはすぐに使えなくなります。このマシンをもう一度使うには、ワーカーを追加し直します。",
    revokeNoAgents: "ここで動いているエージェントはありません。",
    revokeAgents: (count: string) =>
      `ここで動いているエージェント ${count} 体は終了し、行方不明になります。`,
    servers: "サーバー",
    serversNote: "同じデータベースを使うサーバーです。",
    configurationsDiffer:
      "サーバーの設定が同じではありません。すべてのホストの設定ファイルをそろえて、再読み込みしてください。",
    thisServer: "表示中のサーバー",
    leader: "リーダー",
    clocksWrong:
      "時計がずれているサーバーがあります。代わりにデータベースの時刻を使っています。そのホストの時計を合わせてください (NTP)。",
    clockWrong: {
      fast: (by: string) => `時計が ${by}進んでいます`,
      slow: (by: string) => `時計が ${by}遅れています`,
    },
    noAddress: "アドレスなし",
    configuration: "設定",
    started: "起動",
  },
  en: {
    note: "Other machines that run agents for the servers.",
    count: (count) => count,
    summary: (connected, free) => `Taking agents: ${connected} · Free slots: ${free}`,
    idleSlots: (slots, most) =>
      `The workers have ${slots} slots, but at most ${most} agents run at once on all hosts. Raise agent.maxConcurrent in the configuration to use all slots.`,
    needsPostgres: "Workers need PostgreSQL.",
    needsPostgresBody: "This daemon uses SQLite. How to change that:",
    guide: "docs/scale.md",
    none: "No workers yet",
    noneAdmin:
      "Add a worker to run agents on another machine, too. It needs no access to the database and no open port.",
    noneOthers: "An admin can add workers. For now only the servers run agents.",
    states: {
      connected: "Connected",
      draining: "Draining",
      left: "Stopped",
      lost: "Lost",
      never: "Never connected",
    },
    stateNotes: {
      connected: null,
      draining: "It takes no more agents, and waits until those that run have ended.",
      left: null,
      lost: "It was not seen for the time of its lease. Agents that ran there are lost.",
      never: "Its token exists. Start the worker on that machine to connect it.",
    },
    load: (name) => `Load of ${name}`,
    loadOf: (agents, slots) => `${agents} of ${slots} agents`,
    loadOnly: (agents) => (agents === "1" ? "1 agent" : `${agents} agents`),
    noSlots: "No slots",
    labels: "Labels",
    allowed: "Allowed labels",
    runners: (names) => `Runners: ${names}`,
    noRunners: "No runners",
    runnerProblems: {
      "signed-out": (runner) =>
        `${runner} is signed out. Sign in on that machine. For five minutes, other hosts run its agents.`,
      "not-installed": (runner) =>
        `${runner} was not found. Install it on that machine. For five minutes, other hosts run its agents.`,
    },
    versionDiffers: (server) => `the server has ${server}`,
    seen: "Seen",
    via: (host) => `via ${host}`,
    serverUnknown: "an unknown server",
    add: "Add worker",
    addTitle: "Add a worker",
    name: "Name",
    nameHelp: "A name that says which machine it is, such as build-1.",
    nameError: "Use small letters, digits and . _ - only, at most 40 characters.",
    labelsField: "Allowed labels (optional)",
    labelsHelp:
      "Separate them by spaces or commas, such as gpu repo:app. Left empty, the worker may have any label.",
    labelError: (label) =>
      `“${label}” is not a label. Use small letters, digits and . _ : / - only.`,
    labelsMany: "There can be at most 20 labels.",
    addGo: "Create token",
    added: (name) => `Worker ${name} was added`,
    tokenOnce: "The token is shown only now. Copy it before you close this.",
    stepToken: (file) =>
      `On that machine, save the token in ${file}. Only you should be able to read the file (chmod 600).`,
    stepCommand: "Start the worker on that machine.",
    stepState: "Once it is connected, you see it here.",
    copyToken: "Copy token",
    copyCommand: "Copy command",
    originLocal:
      "This address works only on this machine. Replace it with an address of the server (https) that the other machine can reach.",
    originInsecure: "Workers connect over https. Replace the address with an https one.",
    done: "Done",
    revoke: "Revoke",
    revokeOf: (name) => `Revoke ${name}`,
    revokeTitle: (name) => `Revoke worker ${name}?`,
    revokeBody:
      "Its token stops working at once. To use this machine again, add a worker with a new token.",
    revokeNoAgents: "No agents run there now.",
    revokeAgents: (count) =>
      count === "1"
        ? "1 agent runs there now. It is ended and becomes lost."
        : `${count} agents run there now. They are ended and become lost.`,
    servers: "Servers",
    serversNote: "The servers that share this database.",
    configurationsDiffer:
      "The servers have different configurations. Make the configuration files of all hosts equal, then reload them.",
    thisServer: "this server",
    leader: "leader",
    clocksWrong:
      "The clock of a server is wrong. The server uses the time of the database instead. Correct the clock of its host (NTP).",
    clockWrong: { fast: (by) => `clock ${by} fast`, slow: (by) => `clock ${by} slow` },
    noAddress: "no address",
    configuration: "configuration",
    started: "Started",
  },
});
