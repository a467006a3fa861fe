import { type Config, configSchema } from "../../contract/config/schema.ts";
import { checkReferences } from "./check-references.ts";
import type { ConfigProblem } from "./config-error.ts";
import { explainIssues, type SettingProblem } from "./explain-issue.ts";
import { knownKeysAt } from "./known-keys.ts";
import { parseConfigText, type ParsedText } from "./parse-config-text.ts";
import type { SourcePosition } from "./source-excerpt.ts";

export type ParsedConfig = {
  readonly config: Config | undefined;
  readonly problems: readonly ConfigProblem[];
};

/** Parses a text into a configuration, or returns every problem. `path` is for the messages. */
export function parseConfig(text: string, path: string): ParsedConfig {
  const parsed = parseConfigText(withoutMark(text), path);
  if (parsed.data === undefined) return { config: undefined, problems: parsed.problems };

  const { value } = parsed.data;
  // Parsed once: compiling a parser would take longer than it saves.
  const result = configSchema.safeParse(value, { jitless: true });
  const issues = result.success ? [] : explainIssues(result.error.issues, value, knownKeysAt);
  const settings = [...issues, ...checkReferences(value)];
  return {
    config: result.data,
    problems: [...parsed.problems, ...settings.map((problem) => placed(problem, parsed))],
  };
}

/** A byte order mark stays in the file but is not part of its text. */
export function withoutMark(text: string): string {
  return text.startsWith("\u{FEFF}") ? text.slice(1) : text;
}

function placed({ path, key, text, about }: SettingProblem, parsed: ParsedText): ConfigProblem {
  const at = key === undefined ? parsed.positionOf(path) : parsed.positionOfKey(path, key);
  return {
    text,
    ...(about && { about }),
    at: path[0] === "store" ? withoutValue(at) : at,
  };
}

/** The address of the database has a password. */
function withoutValue(at: SourcePosition): SourcePosition {
  return { ...at, sourceLine: `${at.sourceLine.slice(0, at.column - 1)}…` };
}
