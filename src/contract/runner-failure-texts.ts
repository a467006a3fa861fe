import type { FailureKind } from "../domain/agents/runner.ts";
import type { Locale, Texts } from "../domain/locale.ts";

type Failures<Kind extends FailureKind> = Readonly<Record<Kind, Texts>>;
type Common =
  | "session-lost"
  | "quota"
  | "model-unknown"
  | "signed-out"
  | "rate-limit"
  | "overloaded";

/**
 * What a failure of an agent CLI means and what to do. The English sentence is stored with the agent;
 * `reasonIn` shows it in the language of the reader.
 */
export const RUNNER_FAILURE_TEXTS: {
  readonly claude: Failures<Common>;
  readonly codex: Failures<Common>;
  readonly gemini: Failures<Common>;
  readonly opencode: Failures<Common>;
  readonly cursor: Failures<"signed-out" | "directory-not-trusted">;
} = {
  claude: {
    "session-lost": {
      en: "The conversation to continue does not exist any more. Run the agent again without it; `claude --resume` lists those that exist.",
      ja: "続けようとした会話はもうありません。会話を指定せずにエージェントをもう一度実行してください。残っている会話は `claude --resume` で見られます。",
    },
    quota: {
      en: "The limit of the Claude plan or credit is reached. Wait until it resets or set another runner; /usage in `claude` shows the limits.",
      ja: "Claude のプランかクレジットの上限に達しています。リセットされるまで待つか、別のランナーを設定してください。上限は `claude` の /usage で見られます。",
    },
    "model-unknown": {
      en: "Claude Code cannot use this model. Set another model for the role; /model in `claude` lists them.",
      ja: "Claude Code ではこのモデルを使えません。職種に別のモデルを設定してください。モデルの一覧は `claude` の /model で見られます。",
    },
    "signed-out": {
      en: "Claude Code is not signed in. Run `claude auth login`, or set ANTHROPIC_API_KEY for the daemon.",
      ja: "Claude Code がサインインしていません。`claude auth login` を実行するか、デーモンの環境変数 ANTHROPIC_API_KEY を設定してください。",
    },
    "rate-limit": {
      en: "Anthropic received too many requests in a short time. Run the agent again later, or lower agent.maxConcurrent and run `kuromajutsu reload`.",
      ja: "Anthropic への要求が短い時間に多すぎました。あとでエージェントをもう一度実行するか、agent.maxConcurrent を下げて `kuromajutsu reload` を実行してください。",
    },
    overloaded: {
      en: 'Anthropic\'s servers are overloaded. Run the agent again later; `claude -p "hello"` shows whether they answer.',
      ja: 'Anthropic のサーバーが混み合っています。あとでエージェントをもう一度実行してください。応答するかどうかは `claude -p "hello"` で確かめられます。',
    },
  },
  codex: {
    "session-lost": {
      en: "The conversation to continue does not exist any more. Run the agent again without it; `codex resume` lists those that exist.",
      ja: "続けようとした会話はもうありません。会話を指定せずにエージェントをもう一度実行してください。残っている会話は `codex resume` で見られます。",
    },
    quota: {
      en: "The limit of the ChatGPT plan or of the API credit is reached. Wait until it resets or set another runner; /status in `codex` shows the limits.",
      ja: "ChatGPT のプランか API のクレジットの上限に達しています。リセットされるまで待つか、別のランナーを設定してください。上限は `codex` の /status で見られます。",
    },
    "model-unknown": {
      en: "Codex cannot use this model. Set another model for the role; /model in `codex` lists them.",
      ja: "Codex ではこのモデルを使えません。職種に別のモデルを設定してください。モデルの一覧は `codex` の /model で見られます。",
    },
    "signed-out": {
      en: "Codex is not signed in. Run `codex login`, or set CODEX_API_KEY for the daemon.",
      ja: "Codex がサインインしていません。`codex login` を実行するか、デーモンの環境変数 CODEX_API_KEY を設定してください。",
    },
    "rate-limit": {
      en: "OpenAI received too many requests in a short time. Run the agent again later, or lower agent.maxConcurrent and run `kuromajutsu reload`.",
      ja: "OpenAI への要求が短い時間に多すぎました。あとでエージェントをもう一度実行するか、agent.maxConcurrent を下げて `kuromajutsu reload` を実行してください。",
    },
    overloaded: {
      en: 'OpenAI\'s servers are overloaded. Run the agent again later; `codex exec "hello"` shows whether they answer.',
      ja: 'OpenAI のサーバーが混み合っています。あとでエージェントをもう一度実行してください。応答するかどうかは `codex exec "hello"` で確かめられます。',
    },
  },
  gemini: {
    "signed-out": {
      en: "Gemini is not signed in, or Google does not accept the key. Run `gemini` once and sign in, or set GEMINI_API_KEY.",
      ja: "Gemini がサインインしていないか、Google がキーを受け付けません。`gemini` を一度実行してサインインするか、GEMINI_API_KEY を設定してください。",
    },
    quota: {
      en: "The Gemini quota is used up. Wait until it resets, or set another model or runner for the role; `gemini` shows the limits with `/stats`.",
      ja: "Gemini の利用枠を使い切っています。リセットされるまで待つか、職種に別のモデルかランナーを設定してください。上限は `gemini` の `/stats` で見られます。",
    },
    "rate-limit": {
      en: "Gemini got too many requests in a short time. Run fewer agents at once (`agent.maxConcurrent`), or try again in a minute.",
      ja: "Gemini への要求が短い時間に多すぎました。同時に動かすエージェントを減らすか（`agent.maxConcurrent`）、1 分ほど待ってやり直してください。",
    },
    overloaded: {
      en: "The Gemini model is overloaded. Try again later, or set another model for the role; `gemini` lists them with `/model`.",
      ja: "Gemini のモデルが混み合っています。あとでやり直すか、職種に別のモデルを設定してください。モデルの一覧は `gemini` の `/model` で見られます。",
    },
    "session-lost": {
      en: "Gemini does not have this session any more. Run `gemini --list-sessions` in the working directory to see those that exist.",
      ja: "Gemini にこのセッションはもうありません。残っているセッションは、作業ディレクトリで `gemini --list-sessions` を実行すると見られます。",
    },
    "model-unknown": {
      en: "Gemini does not know the model. Run `gemini` and enter `/model` to see the models, then set `model` of the role.",
      ja: "Gemini にこのモデルはありません。`gemini` で `/model` と入力するとモデルの一覧が見られます。その中から職種の `model` を設定してください。",
    },
  },
  opencode: {
    "signed-out": {
      en: "OpenCode is not signed in at the provider of the model, or its key is not valid. Run `opencode auth login`, or set the variable of the provider's key.",
      ja: "OpenCode がモデルのプロバイダーにサインインしていないか、キーが無効です。`opencode auth login` を実行するか、プロバイダーのキーの環境変数を設定してください。",
    },
    quota: {
      en: "The plan or the credit at the provider of the model is used up. Wait until it resets, or set another model or runner for the role; `opencode models` lists them.",
      ja: "モデルのプロバイダーのプランかクレジットを使い切っています。リセットされるまで待つか、職種に別のモデルかランナーを設定してください。モデルの一覧は `opencode models` で見られます。",
    },
    "rate-limit": {
      en: "The provider of the model got too many requests in a short time. Run fewer agents at once (`agent.maxConcurrent`), or try again in a minute.",
      ja: "モデルのプロバイダーへの要求が短い時間に多すぎました。同時に動かすエージェントを減らすか（`agent.maxConcurrent`）、1 分ほど待ってやり直してください。",
    },
    overloaded: {
      en: "The provider of the model is overloaded. Try again later, or set another model for the role; `opencode models` lists them.",
      ja: "モデルのプロバイダーが混み合っています。あとでやり直すか、職種に別のモデルを設定してください。モデルの一覧は `opencode models` で見られます。",
    },
    "session-lost": {
      en: "OpenCode does not have this session any more. Run `opencode session list` to see those that exist.",
      ja: "OpenCode にこのセッションはもうありません。残っているセッションは `opencode session list` で見られます。",
    },
    "model-unknown": {
      en: "OpenCode does not know the model. Run `opencode models` and set `model` of the role to one of them, such as `anthropic/claude-sonnet-4-5`.",
      ja: "OpenCode にこのモデルはありません。`opencode models` を実行し、職種の `model` をその中の 1 つ（例: `anthropic/claude-sonnet-4-5`）に設定してください。",
    },
  },
  cursor: {
    "directory-not-trusted": {
      en: "Cursor does not trust the working directory. Update the Cursor CLI, or run `agent` there once and answer its question.",
      ja: "Cursor が作業ディレクトリを信頼していません。Cursor CLI を更新するか、そこで `agent` を一度実行して質問に答えてください。",
    },
    "signed-out": {
      en: "Cursor is not signed in. Run `agent login`, or set CURSOR_API_KEY.",
      ja: "Cursor がサインインしていません。`agent login` を実行するか、CURSOR_API_KEY を設定してください。",
    },
  },
};

/** Stands between our sentence and the words of the CLI. */
export const CLI_SAID: Texts = { en: " The CLI said: ", ja: " CLI のメッセージ: " };

const ALL: readonly Texts[] = Object.values(RUNNER_FAILURE_TEXTS).flatMap((failures) =>
  Object.values<Texts>(failures),
);

/** The sentence in another language, if a reason begins with one of them. */
export function runnerFailureIn(reason: string, locale: Locale): string | undefined {
  const found = ALL.find(({ en }) => reason.startsWith(en));
  if (!found) return undefined;
  const rest = reason.slice(found.en.length);
  const said = rest.startsWith(CLI_SAID.en)
    ? CLI_SAID[locale] + rest.slice(CLI_SAID.en.length)
    : rest;
  return found[locale] + said;
}
