import { defaultConfig } from "../../contract/config/defaults.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { Locale } from "../../domain/locale.ts";

type NewConfig = { readonly locale: Locale; readonly runner: RunnerId | "auto" };

const COMMENTS: Readonly<Record<Locale, readonly [head: string, runner: string]>> = {
  ja: [
    "# Kuromajutsu の設定です。既定と違うものだけを書きます。すべての項目は docs/configuration.md にあります。",
    "# エージェントを動かす CLI。auto なら、入っているものから選びます。",
  ],
  en: [
    "# The settings of Kuromajutsu that differ from the defaults. docs/configuration.md lists all of them.",
    "# The CLI that runs the agents; auto chooses an installed one.",
  ],
};

/** A configuration file with only what differs from the defaults. */
export function newConfigText({ locale, runner }: NewConfig): string {
  const [head, aboutRunner] = COMMENTS[locale];
  const defaults = defaultConfig();
  // Some clients start the daemon without the variables that name a language; then it is Japanese.
  const language = locale === "ja" ? [] : [`locale: ${locale}`];
  const lines =
    runner === defaults.agent.runner
      ? ["# agent:", `#   runner: ${defaults.agent.runner}`]
      : ["agent:", `  runner: ${runner}`];
  return [head, ...language, "", aboutRunner, ...lines, ""].join("\n");
}
