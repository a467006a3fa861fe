import { printable, renderExcerpt, type SourcePosition } from "./source-excerpt.ts";

/** One problem of the configuration file (with a position) or of the environment. */
export type ConfigProblem = {
  readonly text: string;
  readonly at: SourcePosition | null;
  /** Set if adding people can solve the problem. */
  readonly about?: "people";
};

/** A file that is not a configuration can have thousands of problems; the first ones are enough. */
const MAX_SHOWN = 20;

/** The configuration is invalid; `message` is ready to print and names every problem. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(renderProblems(problems));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

function renderProblems(problems: readonly ConfigProblem[]): string {
  const shown = [...problems].sort(byPosition).slice(0, MAX_SHOWN).map(renderProblem);
  const more = problems.length - shown.length;
  return [
    problems.length === 1
      ? "The configuration has a problem:"
      : `The configuration has ${problems.length} problems:`,
    ...shown,
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ].join("\n\n");
}

/** Problems of the environment first, then in the order of the file. */
function byPosition(one: ConfigProblem, other: ConfigProblem): number {
  return (one.at?.offset ?? -1) - (other.at?.offset ?? -1);
}

function renderProblem({ text, at }: ConfigProblem): string {
  const shown = Array.from(text, printable).join("");
  if (at === null) return shown;
  return `${at.path}:${at.line}:${at.column}\n  ${shown}\n${renderExcerpt(at)}`;
}
