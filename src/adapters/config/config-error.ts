import { inEach, type Locale, type Texts } from "../../domain/locale.ts";
import { SpokenError } from "../../domain/spoken-error.ts";
import { printable, renderExcerpt, type SourcePosition } from "./source-excerpt.ts";

/** One problem of the configuration file (with a position) or of the environment. */
export type ConfigProblem = {
  readonly text: Texts;
  readonly at: SourcePosition | null;
  /** Set if adding people can solve the problem. */
  readonly about?: "people";
};

/** A file that is not a configuration can have thousands of problems; the first ones are enough. */
const MAX_SHOWN = 20;

/** The configuration is invalid; the texts are ready to print and name every problem. */
export class ConfigError extends SpokenError {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(inEach((locale) => renderProblems(problems, locale)));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

const HEAD = {
  ja: (count: number) => `設定に問題が ${count} 件あります。`,
  en: (count: number) =>
    count === 1 ? "The configuration has a problem:" : `The configuration has ${count} problems:`,
} as const;
const MORE = {
  ja: (count: number) => `… ほか ${count} 件。`,
  en: (count: number) => `… and ${count} more.`,
} as const;

function renderProblems(problems: readonly ConfigProblem[], locale: Locale): string {
  const shown = [...problems]
    .sort(byPosition)
    .slice(0, MAX_SHOWN)
    .map((problem) => renderProblem(problem, locale));
  const more = problems.length - shown.length;
  return [HEAD[locale](problems.length), ...shown, ...(more > 0 ? [MORE[locale](more)] : [])].join(
    "\n\n",
  );
}

/** Problems of the environment first, then in the order of the file. */
function byPosition(one: ConfigProblem, other: ConfigProblem): number {
  return (one.at?.offset ?? -1) - (other.at?.offset ?? -1);
}

function renderProblem({ text, at }: ConfigProblem, locale: Locale): string {
  const shown = Array.from(text[locale], printable).join("");
  if (at === null) return shown;
  return `${at.path}:${at.line}:${at.column}\n  ${shown}\n${renderExcerpt(at)}`;
}
