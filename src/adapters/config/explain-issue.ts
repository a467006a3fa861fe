import type * as z from "zod";
import { isRecord } from "../../base/narrow.ts";
import { nearest } from "../../domain/text/nearest.ts";
import type { SettingPath } from "./parse-config-text.ts";

/** A problem of a setting, without its position in the file. */
export type SettingProblem = {
  readonly path: SettingPath;
  /** The problem concerns this key of the map at `path`. */
  readonly key?: string;
  readonly text: string;
  /** Set if adding people can solve the problem. */
  readonly about?: "people";
};

type Issue = z.core.$ZodIssue;

export function explainIssues(
  issues: readonly Issue[],
  value: unknown,
  knownKeys: (path: SettingPath) => readonly string[],
): readonly SettingProblem[] {
  return issues.flatMap((issue) => explainIssue(issue, [], value, knownKeys));
}

function explainIssue(
  issue: Issue,
  base: SettingPath,
  value: unknown,
  knownKeys: (path: SettingPath) => readonly string[],
): readonly SettingProblem[] {
  const path = [
    ...base,
    ...issue.path.map((part) => (typeof part === "number" ? part : String(part))),
  ];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path,
      key,
      text: `${nameOf([...path, key])}: unknown key; ${didYouMean(key, knownKeys(path), "the keys here are")}`,
    }));
  }
  const found = valueAt(value, path);
  const branch =
    issue.code === "invalid_union"
      ? issue.errors.find((issues) => hasRightType(issues, found))
      : undefined;
  if (branch) return branch.flatMap((inner) => explainIssue(inner, path, value, knownKeys));

  return [
    {
      path,
      text: `${nameOf(path)}: ${describeFound(found)}; expected ${issue.message}${quoteHint(found, issue)}${choiceHint(found, issue)}`,
    },
  ];
}

/**
 * Whether a branch of a union accepts this type of value: the issues of such a branch are the
 * useful ones.
 */
function hasRightType(issues: readonly Issue[], found: unknown): boolean {
  return issues.every(({ path, code }) => {
    if (path.length > 0) return true;
    return code === "invalid_value" ? typeof found === "string" : code !== "invalid_type";
  });
}

export function didYouMean(word: string, known: readonly string[], otherwise: string): string {
  const near = nearest(word, known);
  return near === undefined ? `${otherwise} ${known.join(", ")}` : `did you mean "${near}"?`;
}

export function nameOf(path: SettingPath): string {
  if (path.length === 0) return "the file";
  return path.reduce<string>(
    (name, part) =>
      typeof part === "number" ? `${name}[${part}]` : name === "" ? part : `${name}.${part}`,
    "",
  );
}

function describeFound(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "found nothing";
  if (Array.isArray(value)) return "found a list";
  if (typeof value === "string") return `found the text ${JSON.stringify(shorten(value))}`;
  if (typeof value === "number") return `found the number ${value}`;
  if (typeof value === "boolean") return `found ${value}`;
  return "found a map";
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** `model: 4.1` is a number in YAML, which surprises people. */
function quoteHint(found: unknown, issue: Issue): string {
  const wantsText = issue.code === "invalid_type" && issue.expected === "string";
  const union = issue.code === "invalid_union";
  const scalar = typeof found === "number" || typeof found === "boolean";
  return scalar && (wantsText || union) ? ` (write it in quotes: "${String(found)}")` : "";
}

/** A typing error in one of several allowed words. */
function choiceHint(found: unknown, issue: Issue): string {
  if (issue.code !== "invalid_value" || typeof found !== "string") return "";
  const near = nearest(found, issue.values.map(String));
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

function valueAt(value: unknown, path: SettingPath): unknown {
  return path.reduce<unknown>((at, part) => {
    if (Array.isArray(at)) return typeof part === "number" ? at[part] : undefined;
    return isRecord(at) ? at[String(part)] : undefined;
  }, value);
}
