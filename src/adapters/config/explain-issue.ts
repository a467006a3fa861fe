import type * as z from "zod";
import { isRecord } from "../../base/narrow.ts";
import { expectedIn } from "../../contract/config/expected-texts.ts";
import { inEach, type Locale, type Texts } from "../../domain/locale.ts";
import { nearest } from "../../domain/text/nearest.ts";
import type { SettingPath } from "./parse-config-text.ts";

/** A problem of a setting, without its position in the file. */
export type SettingProblem = {
  readonly path: SettingPath;
  /** The problem concerns this key of the map at `path`. */
  readonly key?: string;
  readonly text: Texts;
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
      text: unknownKey(nameOf([...path, key]), didYouMean(key, knownKeys(path), KEYS_HERE)),
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
      text: inEach((locale) =>
        SENTENCES[locale]({
          name: nameOf(path)[locale],
          found: describeFound(found, locale, isSecret(path)),
          expected: expectedIn(issue.message, locale) ?? issue.message,
          hint: quoteHint(found, issue, locale) + choiceHint(found, issue, locale),
        }),
      ),
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

const KEYS_HERE: Texts = { en: "the keys here are", ja: "ここで使えるキー:" };
export const THERE_ARE: Texts = { en: "there are", ja: "あるもの:" };

type Sentence = {
  readonly name: string;
  readonly found: string;
  readonly expected: string;
  readonly hint: string;
};

const SENTENCES: Readonly<Record<Locale, (sentence: Sentence) => string>> = {
  en: ({ name, found, expected, hint }) => `${name}: ${found}; expected ${expected}${hint}`,
  ja: ({ name, found, expected, hint }) => `${name}: ${found}${expected}を書いてください。${hint}`,
};

function unknownKey(name: Texts, hint: Texts): Texts {
  return {
    en: `${name.en}: unknown key; ${hint.en}`,
    ja: `${name.ja}: このキーはありません。${hint.ja}`,
  };
}

/** Names a similar word, or all of them. */
export function didYouMean(word: string, known: readonly string[], otherwise: Texts): Texts {
  const near = nearest(word, known);
  const all = known.join(", ");
  return near === undefined
    ? { en: `${otherwise.en} ${all}`, ja: `${otherwise.ja} ${all}` }
    : { en: `did you mean "${near}"?`, ja: `「${near}」の間違いではありませんか?` };
}

function nameOf(path: SettingPath): Texts {
  if (path.length === 0) return { en: "the file", ja: "ファイル" };
  const name = path.reduce<string>(
    (joined, part) =>
      typeof part === "number" ? `${joined}[${part}]` : joined === "" ? part : `${joined}.${part}`,
    "",
  );
  return { en: name, ja: name };
}

/** The address of the database has a password. */
function isSecret([section]: SettingPath): boolean {
  return section === "store";
}

function describeFound(value: unknown, locale: Locale, isHidden: boolean): string {
  const ja = locale === "ja";
  if (isHidden && typeof value === "string")
    return ja ? "文字列が書かれています。" : "found a text";
  if (value === undefined) return ja ? "ありません。" : "missing";
  if (value === null) return ja ? "値がありません。" : "found nothing";
  if (Array.isArray(value)) return ja ? "リストが書かれています。" : "found a list";
  if (typeof value === "string") {
    const shown = JSON.stringify(shorten(value));
    return ja ? `文字列 ${shown} が書かれています。` : `found the text ${shown}`;
  }
  if (typeof value === "number")
    return ja ? `数 ${value} が書かれています。` : `found the number ${value}`;
  if (typeof value === "boolean") return ja ? `${value} が書かれています。` : `found ${value}`;
  return ja ? "マップが書かれています。" : "found a map";
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** `model: 4.1` is a number in YAML, which surprises people. */
function quoteHint(found: unknown, issue: Issue, locale: Locale): string {
  const wantsText = issue.code === "invalid_type" && issue.expected === "string";
  const union = issue.code === "invalid_union";
  const scalar = typeof found === "number" || typeof found === "boolean";
  if (!scalar || !(wantsText || union)) return "";
  return locale === "ja"
    ? `（引用符で囲むと文字列になります: "${String(found)}"）`
    : ` (write it in quotes: "${String(found)}")`;
}

/** A typing error in one of several allowed words. */
function choiceHint(found: unknown, issue: Issue, locale: Locale): string {
  if (issue.code !== "invalid_value" || typeof found !== "string") return "";
  const near = nearest(found, issue.values.map(String));
  if (near === undefined) return "";
  return locale === "ja" ? `「${near}」の間違いではありませんか?` : `; did you mean "${near}"?`;
}

function valueAt(value: unknown, path: SettingPath): unknown {
  return path.reduce<unknown>((at, part) => {
    if (Array.isArray(at)) return typeof part === "number" ? at[part] : undefined;
    return isRecord(at) ? at[String(part)] : undefined;
  }, value);
}
