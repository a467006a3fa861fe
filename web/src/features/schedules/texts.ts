import { defineTexts } from "../../i18n/texts.ts";

const JA_FIELDS = ["分", "時", "日", "月", "曜日"];
const EN_FIELDS = ["minute", "hour", "day of month", "month", "day of week"];

export const TEXTS = defineTexts({
  ja: {
    note: "決めた時刻に、同じタスクを繰り返し依頼します。承認は毎回いつもどおり必要です。",
    add: "新しいスケジュール",
    none: "スケジュールはありません",
    noneBody: "毎週の週報や毎朝の確認など、繰り返すタスクを登録できます。",
    needsDaemon: "予定の時刻には、デーモンが動いている必要があります。",
    viewer: "閲覧のみの権限のため、変更できません。",
    next: "次回",
    last: "前回",
    notYet: "まだ実行されていません",
    active: "有効",
    paused: "一時停止中",
    pausedBy: (name: string) => `${name}が一時停止しました`,
    pausedItself: {
      requester_gone:
        "依頼者がいなくなったため、自動で一時停止しました。再開した人が依頼者になります。",
      requester_not_operator:
        "依頼者に依頼の権限がなくなったため、自動で一時停止しました。再開した人が依頼者になります。",
    },
    run: {
      started: "開始",
      queued: "前のタスクの終了待ち",
      skipped_missed: "見送り（デーモン停止中）",
      skipped_overlap: "見送り（前のタスクが未終了）",
      failed: "失敗",
    },
    times: (count: number) => `${count} 回分`,
    manual: "手動",
    runNow: "今すぐ依頼",
    edit: "編集",
    remove: "削除",
    removeTitle: "スケジュールを削除しますか",
    removeBody: "スケジュールと実行履歴を削除します。すでに依頼したタスクは残ります。",
    requested: "タスクを依頼しました",
    upcoming: "次の予定",
    history: "実行履歴",
    request: "依頼",
    fromTemplate: "テンプレート",
    readAgain: "予定の時刻ごとに読み直します。表示は前回読んだ内容です。",
    requester: "依頼者",
    directory: "作業ディレクトリ",
    directoryOptional: "作業ディレクトリ (省略可)",
    missed: "デーモンが動いていなかった予定",
    overlap: "前のタスクが終わっていないとき",
    missedPolicy: {
      "run-once": "最新の 1 回だけ依頼する",
      skip: "依頼しない",
      "run-all": "すべて依頼する（最大 10 回）",
    },
    overlapPolicy: {
      skip: "見送る",
      queue: "1 回分だけ待たせる",
      allow: "並行して依頼する",
    },
    notHere: "このスケジュールは見つかりません",
    back: "スケジュール",
    form: {
      create: "新しいスケジュール",
      edit: "スケジュールの編集",
      name: "名前 (省略可)",
      what: "何をしてほしいですか",
      placeholder: "例: 今週の週報を書いて",
      source: "依頼の作り方",
      sources: { text: "文で書く", template: "テンプレートを使う" },
      template: "テンプレート",
      chooseTemplate: "選んでください",
      templateHelp:
        "予定の時刻ごとにテンプレートを読み直し、ここで入れた値を使います。あとでテンプレートを直すと、次の予定から反映されます。",
      templateGone: (id: string) =>
        `テンプレート「${id}」がありません。ほかのテンプレートを選んでください。`,
      untrusted:
        "信頼していないフォルダーのテンプレートは、スケジュールでは使えません。先にフォルダーの設定を信頼してください。",
      needsServers: (names: string) => `MCP サーバー ${names} が設定にありません。`,
      moved:
        "開いている間に、このスケジュールが変更されました。最新の内容を読み込んでから、もう一度編集してください。",
      reload: "最新の内容を読み込む",
      preset: "繰り返し",
      custom: "cron 式で指定",
      cron: "cron 式",
      cronHelp: "分 時 日 月 曜日",
      zone: "タイムゾーン",
      zoneHelp: "都市名でも探せます（例: Tokyo）",
      nextFive: "次の 5 回",
      save: "保存する",
      createSend: "追加する",
      unknownZone: (similar: string) =>
        similar === "" ? "このタイムゾーンはありません。" : `もしかして: ${similar}`,
      takesOver: "保存すると、このスケジュールのタスクの依頼者はあなたになります。",
    },
    problem: {
      long: "cron 式が長すぎます。",
      fields: (count: number) =>
        count === 6
          ? "秒は指定できません。5 つの項目（分 時 日 月 曜日）で書いてください。"
          : `項目が ${count} 個あります。5 つの項目（分 時 日 月 曜日）で書いてください。`,
      field: (field: number, value: string) =>
        `${field} 番目の項目（${JA_FIELDS[field - 1] ?? ""}）の「${value}」は使えません。例: 0 9 * * 1`,
      never: "この日付は存在しないため、一度も実行されません。",
    },
  },
  en: {
    note: "Requests the same task again and again. Every task needs the usual approvals.",
    add: "New schedule",
    none: "No schedules yet",
    noneBody: "Set up work that repeats, such as a weekly report or a check every morning.",
    needsDaemon: "A daemon must run at the planned times.",
    viewer: "You may only watch, so you cannot change schedules.",
    next: "Next",
    last: "Last",
    notYet: "Has not run yet",
    active: "Active",
    paused: "Paused",
    pausedBy: (name) => `Paused by ${name}`,
    pausedItself: {
      requester_gone:
        "Paused itself: its requester is gone. The person who resumes it takes it over.",
      requester_not_operator:
        "Paused itself: its requester may not request tasks any more. The person who resumes it takes it over.",
    },
    run: {
      started: "Started",
      queued: "Waits for the task before it",
      skipped_missed: "Skipped (no daemon ran)",
      skipped_overlap: "Skipped (earlier task not over)",
      failed: "Failed",
    },
    times: (count) => (count === 1 ? "1 time" : `${count} times`),
    manual: "by hand",
    runNow: "Request now",
    edit: "Edit",
    remove: "Remove",
    removeTitle: "Remove this schedule?",
    removeBody: "Its planned times and its history are removed. Tasks that it requested stay.",
    requested: "The task was requested",
    upcoming: "Next times",
    history: "History",
    request: "Request",
    fromTemplate: "Template",
    readAgain: "Read again at each planned time. This is its text when it was last read.",
    requester: "Requester",
    directory: "Working directory",
    directoryOptional: "Working directory (optional)",
    missed: "Times at which no daemon ran",
    overlap: "While an earlier task is not over",
    missedPolicy: {
      "run-once": "Request the newest one only",
      skip: "Request nothing",
      "run-all": "Request all of them (10 at most)",
    },
    overlapPolicy: {
      skip: "Skip",
      queue: "Let one wait",
      allow: "Request another task",
    },
    notHere: "There is no such schedule",
    back: "Schedules",
    form: {
      create: "New schedule",
      edit: "Edit the schedule",
      name: "Name (optional)",
      what: "What do you need done?",
      placeholder: "For example: write this week's report",
      source: "What it requests",
      sources: { text: "A text", template: "A template" },
      template: "Template",
      chooseTemplate: "Choose one",
      templateHelp:
        "The template is read again at each planned time, with the values given here. A change of the template takes effect at the next planned time.",
      templateGone: (id) => `The template “${id}” does not exist. Choose another one.`,
      untrusted:
        "A schedule cannot use a template of a folder that is not trusted. Trust the folder's configuration first.",
      needsServers: (names) => `The MCP server ${names} is not configured.`,
      moved:
        "This schedule was changed while you edited it. Load the current content, then edit it again.",
      reload: "Load the current content",
      preset: "Repeats",
      custom: "By cron expression",
      cron: "Cron expression",
      cronHelp: "minute, hour, day of month, month, day of week",
      zone: "Time zone",
      zoneHelp: "Search by city, such as Tokyo",
      nextFive: "Next five times",
      save: "Save",
      createSend: "Add",
      unknownZone: (similar) =>
        similar === "" ? "There is no such time zone." : `Did you mean ${similar}?`,
      takesOver: "If you save, you become the requester of this schedule's tasks.",
    },
    problem: {
      long: "The cron expression is too long.",
      fields: (count) =>
        count === 6
          ? "Seconds are not supported. Give five fields: minute, hour, day of month, month, day of week."
          : `There ${count === 1 ? "is 1 field" : `are ${count} fields`}. Give five: minute, hour, day of month, month, day of week.`,
      field: (field, value) =>
        `The ${EN_FIELDS[field - 1] ?? ""} (field ${field}) cannot be “${value}”. Example: 0 9 * * 1`,
      never: "There is no such date, so it would never run.",
    },
  },
});
