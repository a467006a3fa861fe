import type { FileProblem, PlannedChange } from "../../../app/ports/setup.ts";
import type { Locale } from "../../../domain/locale.ts";

export type InitTexts = {
  readonly clis: (names: string) => string;
  readonly noClis: string;
  readonly clients: (names: string) => string;
  readonly noClients: (names: string) => string;
  readonly notInstalled: (runner: string) => string;
  readonly askClients: (found: string) => string;
  readonly noSuchClient: (name: string, known: string) => string;
  readonly askScope: string;
  readonly askRunner: (found: string) => string;
  /** The words that are understood as answers are the same in both languages. */
  readonly noSuchAnswer: (known: string) => string;
  readonly kind: Readonly<Record<PlannedChange["kind"], string>>;
  readonly already: string;
  readonly keptConfig: string;
  readonly setRunner: (runner: string) => string;
  readonly noFile: string;
  readonly noProject: string;
  readonly byHand: string;
  readonly askChange: (path: string) => string;
  readonly askWrite: (count: number) => string;
  readonly written: (path: string) => string;
  readonly notWritten: (path: string) => string;
  readonly nothingToDo: string;
  readonly nothingWritten: string;
  readonly dryRun: string;
  readonly noTerminal: (command: string) => string;
  readonly next: string;
  readonly restart: (clients: string) => string;
  readonly doctor: (program: string) => string;
  readonly dashboard: (program: string) => string;
  readonly problem: (problem: FileProblem, path: string) => string;
};

const mode = (value: number): string => value.toString(8).padStart(4, "0");

/** Names of the JSON parser for what is wrong. */
const JSON_ERRORS_JA: Readonly<Record<string, string>> = {
  InvalidSymbol: "使えない語です",
  InvalidNumberFormat: "数の書き方が違います",
  PropertyNameExpected: "キーが必要です",
  ValueExpected: "値が必要です",
  ColonExpected: "コロンが必要です",
  CommaExpected: "コンマが必要です",
  CloseBraceExpected: "} が必要です",
  CloseBracketExpected: "] が必要です",
  EndOfFileExpected: "ここで終わるはずです",
  InvalidCommentToken: "コメントは使えません",
  UnexpectedEndOfComment: "コメントが閉じられていません",
  UnexpectedEndOfString: "文字列が閉じられていません",
  UnexpectedEndOfNumber: "数が途中で終わっています",
  InvalidUnicode: "Unicode の書き方が違います",
  InvalidEscapeCharacter: "エスケープの書き方が違います",
  InvalidCharacter: "使えない文字です",
};

const ja: InitTexts = {
  clis: (names) => `エージェントの CLI: ${names}`,
  noClis:
    "エージェントの CLI は見つかりません。cursor、claude、codex、gemini、opencode のどれかを入れるまでは、リハーサルだけが動きます。",
  clients: (names) => `MCP クライアント: ${names}`,
  noClients: (names) =>
    `MCP クライアントは見つかりません。加えるには --client で指定してください: ${names}`,
  notInstalled: (runner) =>
    `! ${runner} の CLI は見つかりません。入れるまで、エージェントは動きません。`,
  askClients: (found) =>
    `どのクライアントに加えますか。名前をカンマで区切るか、none。Enter で ${found}: `,
  noSuchClient: (name, known) =>
    `「${name}」というクライアントはありません。${known} から選べます。`,
  askScope:
    "プロジェクトのファイル (project) とユーザーのファイル (global) のどちらに書きますか。Enter で project: ",
  askRunner: (found) =>
    `エージェントを動かす CLI を選んでください (auto、${found})。Enter で auto: `,
  noSuchAnswer: (known) => `${known} のどれかを入力してください。`,
  kind: { create: "新しいファイル", add: "追加", change: "変更" },
  already: "すでに入っています。",
  keptConfig: "すでにあるので、変更しません。",
  setRunner: (runner) =>
    `  ${runner} を使うには、このファイルに agent: { runner: ${runner} } を書いてください。`,
  noFile: "プロジェクト用のファイルがないので、加えません。--global を付けると加えられます。",
  noProject:
    "ホームディレクトリはプロジェクトではありません。プロジェクトのフォルダーで実行するか、--global を付けてください。",
  byHand: "何も書きません。手で加える場合の内容:",
  askChange: (path) => `${path} の項目を変更しますか? [y/n] `,
  askWrite: (count) => `上の ${count} 個のファイルを書きますか? [y/n] `,
  written: (path) => `書きました: ${path}`,
  notWritten: (path) => `書いていません: ${path}`,
  nothingToDo: "変更はありません。",
  nothingWritten: "何も書いていません。",
  dryRun: "--dry-run なので、何も書いていません。",
  noTerminal: (command) =>
    `端末がないので尋ねられません。何も書いていません。上の内容で書くには: ${command}`,
  next: "次にすること:",
  restart: (clients) =>
    `  ${clients} を再起動します。フォルダーやサーバーを信頼するか尋ねられたら、許可します。`,
  doctor: (program) => `  ${program} doctor で、CLI が動くことを確かめます。`,
  dashboard: (program) =>
    `  ${program} serve で起動し、表示されたアドレスのダッシュボードを開きます。`,
  problem(problem, path) {
    switch (problem.kind) {
      case "link":
        return `${problem.place} はシンボリックリンクです。リンクの先は変更しません。`;
      case "foreign":
        return `${problem.place} は別のユーザー (uid ${problem.uid}) のものです。`;
      case "read-only":
        return `${problem.place} は読み取り専用 (${mode(problem.mode)}) です。書けるようにするには: chmod u+w`;
      case "not-a-file":
        return `${problem.place} はふつうのファイルやフォルダーではありません。`;
      case "shared":
        return problem.detail.ja;
      case "syntax":
        return `${path}:${problem.line}:${problem.column} に誤りがあります (${JSON_ERRORS_JA[problem.detail] ?? problem.detail})。直してから、もう一度実行してください。`;
      case "not-a-map":
        return `${path} の ${problem.key} がオブジェクトではありません。`;
      case "by-hand":
        return `${path} の項目は、ほかの部分に触れずに変更できない書き方です。`;
      case "changed":
        return `${path} は、表示した後に変わりました。もう一度実行してください。`;
      case "io":
        return `${path} を読み書きできません (${problem.detail === "not UTF-8" ? "UTF-8 ではありません" : problem.detail})。`;
    }
  },
};

const en: InitTexts = {
  clis: (names) => `Agent CLIs: ${names}`,
  noClis:
    "No agent CLI is found. Until you install cursor, claude, codex, gemini or opencode, agents are only rehearsed.",
  clients: (names) => `MCP clients: ${names}`,
  noClients: (names) =>
    `No MCP client is found. To add one anyway, name it with --client: ${names}`,
  notInstalled: (runner) => `! The CLI of ${runner} is not found. Agents need it to run.`,
  askClients: (found) =>
    `Which clients should use Kuromajutsu? Names with commas between them, or none. Enter for ${found}: `,
  noSuchClient: (name, known) => `There is no client "${name}"; there is ${known}.`,
  askScope: "Write files of this project (project) or of your user (global)? Enter for project: ",
  askRunner: (found) => `Which CLI runs the agents (auto, ${found})? Enter for auto: `,
  noSuchAnswer: (known) => `Please answer one of ${known}.`,
  kind: { create: "new file", add: "addition", change: "change" },
  already: "It is already there.",
  keptConfig: "It is there already and is not changed.",
  setRunner: (runner) => `  To use ${runner}, write agent: { runner: ${runner} } into it.`,
  noFile: "It has no file for a project, so nothing is added. Use --global to add it.",
  noProject: "The home directory is no project. Run this in the folder of one, or use --global.",
  byHand: "Nothing is written. To add it by hand:",
  askChange: (path) => `Change the entry in ${path}? [y/n] `,
  askWrite: (count) => `Write ${count === 1 ? "this file" : `these ${count} files`}? [y/n] `,
  written: (path) => `Written: ${path}`,
  notWritten: (path) => `Not written: ${path}`,
  nothingToDo: "There is nothing to change.",
  nothingWritten: "Nothing was written.",
  dryRun: "This was a dry run: nothing was written.",
  noTerminal: (command) =>
    `There is no terminal to ask on, so nothing was written. To write this: ${command}`,
  next: "Next:",
  restart: (clients) =>
    `  Restart ${clients}. If a client asks whether you trust the folder or the server, allow it.`,
  doctor: (program) => `  Run ${program} doctor to check that the CLIs work.`,
  dashboard: (program) => `  Run ${program} serve and open the dashboard at the address it prints.`,
  problem(problem, path) {
    switch (problem.kind) {
      case "link":
        return `${problem.place} is a symbolic link. What it points to is not changed.`;
      case "foreign":
        return `${problem.place} belongs to another user (uid ${problem.uid}).`;
      case "read-only":
        return `${problem.place} is read-only (${mode(problem.mode)}). To make it writable: chmod u+w`;
      case "not-a-file":
        return `${problem.place} is not a regular file or folder.`;
      case "shared":
        return problem.detail.en;
      case "syntax":
        return `There is an error at ${path}:${problem.line}:${problem.column} (${problem.detail}). Correct it, then run this again.`;
      case "not-a-map":
        return `${problem.key} in ${path} is not an object.`;
      case "by-hand":
        return `The entry in ${path} is written in a way that cannot be changed without touching more than it.`;
      case "changed":
        return `${path} has changed since it was shown. Run this again.`;
      case "io":
        return `${path} cannot be read or written (${problem.detail}).`;
    }
  },
};

export const INIT_TEXTS: Readonly<Record<Locale, InitTexts>> = { ja, en };
