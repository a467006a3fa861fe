import type { Language } from "./language.ts";
import type { StopType } from "./notifications.ts";
import { ORCHESTRATOR_EN, ORCHESTRATOR_JA } from "./orchestrator/texts.ts";

/** All texts of a rehearsal, in both languages; a text missing in one is a type error. */
export type RehearsalTexts = typeof ja;

const ja = {
  ...ORCHESTRATOR_JA,
  name: "リハーサル",
  /** Every text begins with this, so that it is never mistaken for a model's answer. */
  simulated: (words: string) => `リハーサル: ${words}`,
  list: (names: readonly string[]) => names.join("、"),
  none: "なし",
  unknownSender: "不明",
  emptyAnswer: "答えが空です。",

  start: (model: string) => `モデル ${model} には尋ねず、プロセスと呼び出しだけを動かします。`,
  usageAskedFor: "使用量は指示された値で、実際の消費ではありません。",
  unknownDirective: (line: string) => `この指示は分かりません: ${line}`,
  unreadableInput: "入力の JSON を読めません。",
  onlyInTask: (verb: string) => `指示 ${verb} は、タスクの依頼の中でだけ使えます。`,
  ignored: (verbs: string) =>
    `誰への指示か書かれていないので、無視しました (#rehearsal in <職種> … と書きます): ${verbs}`,
  stopped: (action: StopType, reason: string) =>
    `${reason === "" ? "" : `「${reason}」との理由で`}${action === "blocked" ? "ブロック" : "中止"}されたため、ここで止めました`,
  parked: (reason: string) => `人の判断を待つので、ここで終わります: ${reason}`,
  sentences: (sentences: readonly string[]) =>
    sentences.reduce((text, next) => `${text}${text.endsWith("。") ? "" : " "}${next}`),
  noModel: "モデルには何も尋ねていません。",
  ordinary: (firstLine: string) =>
    `モデルには何も尋ねていません。依頼の 1 行目は「${firstLine}」です。`,
  andFailed: (summary: string, failures: string) =>
    `${summary}実行できなかった指示があります: ${failures}`,

  notification: (type: string, from: string, text: string) =>
    `通知を受け取りました (${type}、${from} から): ${text}`,
  /** The daemon writes this text in Japanese, whatever the language of the request. */
  statusChanged: (_action: string, daemonText: string) => daemonText,
  notificationsUnread: "通知を読めませんでした。",
  badArguments: (name: string, json: string) =>
    `${name} の引数が JSON オブジェクトではありません: ${json}`,
  toolFailed: (name: string, text: string) => `${name} は失敗しました: ${text}`,
  toolAnswered: (name: string, text: string) => `${name} は答えました: ${text}`,
  garbage: "これは JSON ではありません",
  readOnly: "読み取り専用の実行です。",
  outside: (path: string) => `${path} は作業ディレクトリの外です。`,

  nowhereToReport: "KUROMAJUTSU_MCP_URL が無いので、結果は報告しません。",
  noAgentId: "Agent ID が環境変数にもプロンプトにもありません。",
  otherAgentId: (environment: string, prompt: string) =>
    `Agent ID が食い違います (環境変数 ${environment}、プロンプト ${prompt})。`,
  reportFailed: (text: string) => `結果を報告できませんでした: ${text}`,
  reported: "結果を報告しました。",
  report: {
    head: "リハーサルの報告です。",
    did: (model: string) =>
      `実施内容: モデル (${model}) には何も尋ねず、プロセスの起動、ストリーム、ツール呼び出しだけを動かしました。`,
    firstLine: (line: string) => `依頼の 1 行目: 「${line}」`,
    directives: (verbs: string) => `実行した指示: ${verbs}`,
    failed: (failure: string) => `実行できなかった指示: ${failure}`,
    notification: (type: string, from: string, text: string) =>
      `受け取った通知 (${type}、${from} から): 「${text}」`,
    created: (files: string) => `作成したファイル: ${files}`,
    edited: (files: string) => `編集したファイル: ${files}`,
    caution: "注意点: 依頼の中身は検討していません。",
  },

  description: (request: string) => `リハーサル: モデルは検討していません。依頼: 「${request}」`,
  readAs: (title: string) => `依頼を「${title}」と読みました。`,
  answeredByDirective: "指示された答えです。",
  rejected: (version: number, reason: string) => `v${version} は却下されました: 「${reason}」`,
  sentBack: (error: string) => `前の答えは返されました: ${error}`,
  promptWritten: "実行方針を書きました。",
  stepsMade: (tools: string) => `実行ステップを作りました: ${tools}`,
  prompt: {
    head: "リハーサルの実行方針です。モデルには尋ねず、ツールの名前、スキーマ、順序だけから決めました。",
    request: (request: string) => `依頼: 「${request}」`,
    tools: "使うツール:",
    checked: (tool: string) => `${tool} (実行前に人が確認)`,
    reasons: "これまでの却下の理由:",
    reason: (version: number, reason: string) => `v${version}: 「${reason}」`,
    unchanged: "リハーサルは理由の中身を読み取れないので、実行方針は変わりません。",
  },
  stepTitle: (tool: string) => `${tool} (リハーサル)`,
  sameSteps: (title: string, version: number, reason: string) =>
    `${title} ※ v${version} の却下の理由「${reason}」は、リハーサルでは反映できません`,
  nothingFits: "引数を埋められるツールがなく、任せられる職種もありません。",
  nothingThere: "使えるツールも、任せられる職種もありません。",
  toolInMany: (name: string, tools: string) => `${name} は複数のサーバーにあります: ${tools}`,
  noSuchTool: (name: string, tools: string) =>
    `${name} というツールはありません。あるもの: ${tools}`,
  noSuchStepOf: (step: string, count: number) =>
    `${step} はありません。ステップは ${count} 個です。`,

  noSuchStep: (step: string) => `${step} はありません。`,
  decision: (text: string) => `人の判断: ${text}`,
  wasDone: (step: string) => `${step} 済み`,
  done: (step: string) => `${step} 完了`,
  notDone: (step: string) => `${step} 行わない`,
  ended: (done: number, skipped: string) =>
    skipped === ""
      ? `${done} 個のステップがすべて終わりました。`
      : `${done} 個のステップが終わりました。行わなかったもの: ${skipped}。`,
  files: (files: string) => `できたファイル: ${files}`,
  noFiles: "作ったファイルはありません。",
  stoppedAt: (step: string, call: string, words: string) =>
    `${step} (${call}) で止めました: ${words}`,
  usedBefore: "前に得られた答えを使いました。",
  missing: (names: string, example: string) =>
    `必須の引数 ${names} を埋められません。「#rehearsal arg ${example} <JSON>」で渡せます。`,
  stepRejected: (reason: string) => `却下されました${reason && `: ${reason}`}`,
  skipped: (reason: string) => `却下されたので行わずに続けました${reason && `: ${reason}`}`,
  stepGiven: (step: string, title: string, request: string) =>
    `${step}「${title}」を任されました。依頼は「${request}」です。`,
  onlyReport: "実際の作業はせず、これを読んだことだけを report_result で報告してください。",
};

const en: RehearsalTexts = {
  ...ORCHESTRATOR_EN,
  name: "Rehearsal",
  simulated: (words) => `Rehearsal: ${words}`,
  list: (names) => names.join(", "),
  none: "none",
  unknownSender: "unknown",
  emptyAnswer: "The answer is empty.",

  start: (model) => `model ${model} is not asked; only the process and its calls are real.`,
  usageAskedFor: "the usage comes from a directive; it is not real consumption.",
  unknownDirective: (line) => `unknown directive: ${line}`,
  unreadableInput: "the JSON of the input cannot be read.",
  onlyInTask: (verb) => `the directive ${verb} works only in the request of a task.`,
  ignored: (verbs) =>
    `ignored, because these directives name no role (write #rehearsal in <role> …): ${verbs}`,
  stopped: (action, reason) =>
    `Stopped because it was ${action}${reason === "" ? "." : `: ${reason}`}`,
  parked: (reason) => `a person has to decide, so this run ends here: ${reason}`,
  sentences: (sentences) => sentences.join(" "),
  noModel: "no model was asked.",
  ordinary: (firstLine) => `no model was asked. The first line of the request is “${firstLine}”.`,
  andFailed: (summary, failures) => `${summary} Directives that failed: ${failures}`,

  notification: (type, from, text) => `received a notification (${type}, from ${from}): ${text}`,
  statusChanged: (action) => `The status of the task was changed to ${action}.`,
  notificationsUnread: "the notifications could not be read.",
  badArguments: (name, json) => `the arguments of ${name} are not a JSON object: ${json}`,
  toolFailed: (name, text) => `${name} failed: ${text}`,
  toolAnswered: (name, text) => `${name} answered: ${text}`,
  garbage: "this is not JSON",
  readOnly: "this run is read-only.",
  outside: (path) => `${path} is outside the working directory.`,

  nowhereToReport: "KUROMAJUTSU_MCP_URL is not set, so nothing is reported.",
  noAgentId: "neither the environment nor the prompt has an agent ID.",
  otherAgentId: (environment, prompt) =>
    `the agent IDs differ (environment ${environment}, prompt ${prompt}).`,
  reportFailed: (text) => `the result could not be reported: ${text}`,
  reported: "the result is reported.",
  report: {
    head: "Rehearsal report.",
    did: (model) =>
      `What was done: no model (${model}) was asked; only the process, its stream and its tool calls are real.`,
    firstLine: (line) => `First line of the request: “${line}”`,
    directives: (verbs) => `Directives carried out: ${verbs}`,
    failed: (failure) => `Directive that failed: ${failure}`,
    notification: (type, from, text) => `Received notification (${type}, from ${from}): “${text}”`,
    created: (files) => `Files created: ${files}`,
    edited: (files) => `Files edited: ${files}`,
    caution: "Note: the content of the request was not considered.",
  },

  description: (request) => `Rehearsal: no model has considered this. Request: “${request}”`,
  readAs: (title) => `read the request as “${title}”.`,
  answeredByDirective: "the answer that a directive specifies.",
  rejected: (version, reason) => `v${version} was rejected: “${reason}”`,
  sentBack: (error) => `the previous answer was sent back: ${error}`,
  promptWritten: "wrote the prompt.",
  stepsMade: (tools) => `made the steps: ${tools}`,
  prompt: {
    head: "Rehearsal prompt. No model was asked: it follows from the names, schemas and order of the tools alone.",
    request: (request) => `Request: “${request}”`,
    tools: "Tools it would use:",
    checked: (tool) => `${tool} (a person checks first)`,
    reasons: "Reasons for the rejections so far:",
    reason: (version, reason) => `v${version}: “${reason}”`,
    unchanged: "A rehearsal cannot understand the reasons, so the prompt stays the same.",
  },
  stepTitle: (tool) => `${tool} (rehearsal)`,
  sameSteps: (title, version, reason) =>
    `${title} – a rehearsal cannot follow the reason “${reason}” for rejecting v${version}`,
  nothingFits: "there is no tool whose arguments can be filled, and no role to delegate to.",
  nothingThere: "there is no tool, and no role to delegate to.",
  toolInMany: (name, tools) => `several servers have ${name}: ${tools}`,
  noSuchTool: (name, tools) => `there is no tool ${name}. There are: ${tools}`,
  noSuchStepOf: (step, count) => `there is no ${step}; the number of steps is ${count}.`,

  noSuchStep: (step) => `there is no ${step}.`,
  decision: (text) => `a person decided: ${text}`,
  wasDone: (step) => `${step} was done before`,
  done: (step) => `${step} done`,
  notDone: (step) => `${step} skipped`,
  ended: (done, skipped) => {
    const steps = done === 1 ? "1 step is" : `${done} steps are`;
    return skipped === "" ? `${steps} done.` : `${steps} done. Skipped: ${skipped}.`;
  },
  files: (files) => `Files: ${files}`,
  noFiles: "No files were made.",
  stoppedAt: (step, call, words) => `stopped at ${step} (${call}): ${words}`,
  usedBefore: "Used an earlier answer.",
  missing: (names, example) =>
    `The required arguments ${names} cannot be filled. Pass them with “#rehearsal arg ${example} <JSON>”.`,
  stepRejected: (reason) => `a person rejected it${reason && `: ${reason}`}`,
  skipped: (reason) => `Rejected, so it was skipped${reason && `: ${reason}`}`,
  stepGiven: (step, title, request) =>
    `you are responsible for ${step} “${title}”. The request is “${request}”.`,
  onlyReport: "do no real work; report with report_result that you have read this, and no more.",
};

export const TEXTS: Readonly<Record<Language, RehearsalTexts>> = { ja, en };
