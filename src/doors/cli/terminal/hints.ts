import type { Locale, Texts } from "../../../domain/locale.ts";
import type { RefusalCode } from "../../../domain/refusal.ts";

/** What to do next at a terminal, for refusals whose own hint names MCP tools or REST requests. */
const HINTS: Readonly<Partial<Record<RefusalCode, Texts>>> = {
  NOT_SIGNED_IN: {
    en: "Set KUROMAJUTSU_TOKEN to your token: `KUROMAJUTSU_TOKEN=kmj_… kuromajutsu tasks`. An admin makes one with `kuromajutsu user add`.",
    ja: "環境変数 KUROMAJUTSU_TOKEN にトークンを設定してください（例: `KUROMAJUTSU_TOKEN=kmj_… kuromajutsu tasks`）。トークンは admin が `kuromajutsu user add` で作ります。",
  },
  TASK_NOT_FOUND: {
    en: "`kuromajutsu tasks` lists the tasks.",
    ja: "タスクの一覧は `kuromajutsu tasks` で見られます。",
  },
  EXECUTION_NOT_FOUND: {
    en: "`kuromajutsu tasks ID` shows a task.",
    ja: "タスクの内容は `kuromajutsu tasks ID` で見られます。",
  },
  APPROVAL_NOT_FOUND: {
    en: "`kuromajutsu approvals` lists what waits for a decision.",
    ja: "承認待ちの一覧は `kuromajutsu approvals` で見られます。",
  },
  AGENT_NOT_FOUND: {
    en: "`kuromajutsu agents` lists the agents.",
    ja: "エージェントの一覧は `kuromajutsu agents` で見られます。",
  },
  GROUP_NOT_FOUND: {
    en: "`kuromajutsu groups` lists the groups.",
    ja: "グループの一覧は `kuromajutsu groups` で見られます。",
  },
  AGENT_ALREADY_ENDED: {
    en: "There is nothing left to stop. `kuromajutsu agents` shows how it ended.",
    ja: "停止するものはありません。終わり方は `kuromajutsu agents` で見られます。",
  },
  TASK_NOT_RETRYABLE: {
    en: "`kuromajutsu tasks ID` shows what the task waits for; `kuromajutsu run` requests a new one.",
    ja: "何を待っているかは `kuromajutsu tasks ID` で見られます。新しく依頼するには `kuromajutsu run` を使ってください。",
  },
  TEMPLATE_EXISTS: {
    en: "Choose another id with --id. One of your own is overwritten with --yes.",
    ja: "--id で別の ID を指定してください。自分のテンプレートは --yes で上書きできます。",
  },
  WORKING_DIRECTORY_NOT_FOUND: {
    en: "Start the command in an existing directory.",
    ja: "存在するディレクトリでコマンドを実行してください。",
  },
  PERSON_NEEDED: {
    en: "Run the command yourself, outside an agent, with your own KUROMAJUTSU_TOKEN.",
    ja: "エージェントの外で、自分の KUROMAJUTSU_TOKEN を設定して、コマンドを実行してください。",
  },
};

/** Parameters that are options here: the hint names `reason`, and a person types `--reason`. */
const OPTIONS = /`(reason|answer)`/g;

const SEE_HELP: Texts = {
  en: "`kuromajutsu help COMMAND` shows the arguments and options, for example `kuromajutsu help tasks`.",
  ja: "引数とオプションは `kuromajutsu help コマンド名` で見られます（例: `kuromajutsu help tasks`）。",
};

/** The hint of a refusal in the words of the terminal. */
export function terminalHint(
  { code, hint }: { readonly code: string; readonly hint?: string | undefined },
  locale: Locale,
): string | undefined {
  const own = Object.entries(HINTS).find(([known]) => known === code)?.[1];
  if (own) return own[locale];
  if (hint?.includes("/api/")) return SEE_HELP[locale];
  return hint?.replaceAll(OPTIONS, "`--$1`");
}
