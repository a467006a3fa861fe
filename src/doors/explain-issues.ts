import type { z } from "zod";
import type { Locale } from "../domain/locale.ts";

type Issue = z.core.$ZodIssue;

/** One sentence per problem of an input, each with the field and what it accepts. */
export function explainIssues({ issues }: Pick<z.ZodError, "issues">, locale: Locale): string {
  return issues.map((issue) => sentenceOf(issue, locale)).join(" ");
}

function sentenceOf(issue: Issue, locale: Locale): string {
  const field = issue.path.map(String).join(".");
  const texts = TEXTS[locale];
  switch (issue.code) {
    case "invalid_type":
      return MISSING.test(issue.message)
        ? texts.missing(field, issue.expected)
        : texts.type(field, issue.expected);
    case "invalid_value":
      return texts.choice(field, issue.values.map(String));
    case "too_small":
      return texts.least(field, String(issue.minimum), unitOf(issue.origin));
    case "too_big":
      return texts.most(field, String(issue.maximum), unitOf(issue.origin));
    case "unrecognized_keys":
      return texts.unknown(field, issue.keys);
    case "invalid_format":
      return texts.format(field);
    case "custom":
    case "invalid_element":
    case "invalid_key":
    case "invalid_union":
    case "not_multiple_of":
      return texts.other(field, issue.message);
  }
}

/** The issue itself does not say whether a value was given. */
const MISSING = /received undefined$/;

type Unit = "characters" | "entries" | "number";

function unitOf(origin: string): Unit {
  if (origin === "string") return "characters";
  return origin === "array" || origin === "set" || origin === "object" ? "entries" : "number";
}

function atEnd(end: "at least" | "at most", count: string, unit: Unit): string {
  const isOne = count === "1";
  switch (unit) {
    case "characters":
      return `have ${end} ${count} ${isOne ? "character" : "characters"}`;
    case "entries":
      return `have ${end} ${count} ${isOne ? "entry" : "entries"}`;
    case "number":
      return `be ${end} ${count}`;
  }
}

const COUNTERS: Readonly<Record<Unit, string>> = {
  characters: " 文字",
  entries: " 個",
  number: " ",
};

const EN = {
  missing: (field: string, type: string) => `${field || "The input"} is missing (${type}).`,
  type: (field: string, type: string) => `${field || "The input"} must be: ${type}.`,
  choice: (field: string, choices: readonly string[]) =>
    `${field || "The input"} must be one of: ${choices.join(", ")}.`,
  least: (field: string, least: string, unit: Unit) =>
    `${field || "The input"} must ${atEnd("at least", least, unit)}.`,
  most: (field: string, most: string, unit: Unit) =>
    `${field || "The input"} must ${atEnd("at most", most, unit)}.`,
  unknown: (field: string, keys: readonly string[]) =>
    `Unknown ${keys.length === 1 ? "field" : "fields"}${field && ` in ${field}`}: ${keys.join(", ")}.`,
  format: (field: string) => `${field || "The input"} has the wrong format.`,
  other: (field: string, message: string) => (field ? `${field}: ${message}` : message),
};

const JA: typeof EN = {
  missing: (field, type) => `${field || "入力"} がありません (型: ${type})。`,
  type: (field, type) => `${field || "入力"} の型が違います。${type} を指定してください。`,
  choice: (field, choices) =>
    `${field || "入力"} には次のどれかを指定してください: ${choices.join("、")}。`,
  least: (field, least, unit) =>
    `${field || "入力"} は ${least}${COUNTERS[unit]}以上にしてください。`,
  most: (field, most, unit) => `${field || "入力"} は ${most}${COUNTERS[unit]}以下にしてください。`,
  unknown: (field, keys) => `${field && `${field} に`}知らない項目があります: ${keys.join("、")}。`,
  format: (field) => `${field || "入力"} の形式が違います。`,
  other: (field, message) => (field ? `${field}: ${message}` : message),
};

const TEXTS: Readonly<Record<Locale, typeof EN>> = { en: EN, ja: JA };
