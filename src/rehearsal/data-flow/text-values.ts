import { numberOf, textOf } from "../../base/narrow.ts";
import { writtenForms, type FoundDate } from "./dates.ts";
import { fit } from "./fit.ts";
import { typesOf, wants, type Schema } from "./schema.ts";
import type { TextFacts } from "./text-facts.ts";

const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
const ADDRESS = /^https?:\/\/\S+$/;

/**
 * A value for an optional argument, which needs an unmistakable form: a number could mean anything.
 */
export function sureText(schema: Schema, facts: TextFacts, used: ReadonlySet<unknown>): unknown {
  const value = sureValue(schema, facts, used);
  return typeof value === "string" || "const" in schema ? value : undefined;
}

/**
 * A value that the schema fixes, or one in the text with a form that only this argument accepts. In
 * the order of the text; `used` are values of other arguments.
 */
export function sureValue(schema: Schema, facts: TextFacts, used: ReadonlySet<unknown>): unknown {
  if ("const" in schema) return schema.const;
  const members = Array.isArray(schema.enum) ? schema.enum : undefined;
  if (members?.length === 1) return members[0];
  if (members) return memberInText(members, facts);
  if (!typesOf(schema)?.includes("string")) return undefined;
  return candidates(schema, facts).find(
    (value) => !used.has(value) && fit(value, schema) !== undefined,
  );
}

/** A fallback value for a required argument. */
export function anyValue(schema: Schema, facts: TextFacts, used: ReadonlySet<unknown>): unknown {
  if (schema.default !== undefined) return fit(schema.default, schema);
  if (wants(schema, "integer") || wants(schema, "number")) {
    return facts.numbers.find((value) => !used.has(value) && fit(value, schema) !== undefined);
  }
  const isFreeText = wants(schema, "string") && !schema.enum && !schema.pattern && !schema.format;
  if (!isFreeText) return undefined;
  const room = numberOf(schema.maxLength) ?? Infinity;
  return fit(Array.from(facts.sentence).slice(0, room).join(""), schema);
}

function memberInText(members: readonly unknown[], facts: TextFacts): unknown {
  const found = members
    .map((member) => ({ member, at: placeOf(String(member), facts.text) }))
    .filter(({ at }) => at >= 0)
    // If two begin at the same position, the longer one is meant.
    .sort((a, b) => a.at - b.at || String(b.member).length - String(a.member).length);
  return found[0]?.member ?? datedMember(members, facts.dates);
}

/** A Latin word must match as a whole; Japanese has no spaces between words. */
function placeOf(member: string, text: string): number {
  if (member === "") return -1;
  if (!/^[\x21-\x7e]+$/.test(member)) return text.indexOf(member);
  const escaped = member.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
  return new RegExp(`(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`, "i").exec(text)?.index ?? -1;
}

/**
 * A text with a month and no year selects the member with that month, preferably of the current
 * year.
 */
function datedMember(members: readonly unknown[], dates: readonly FoundDate[]): unknown {
  for (const date of dates) {
    const forms = writtenForms(date);
    const exact = members.find((member) => forms.includes(String(member)));
    if (exact !== undefined) return exact;
    if (date.isYearGiven) continue;
    const latest = members
      .map((member) => ({ member, year: Number(/^\d{4}/.exec(String(member))?.[0]) }))
      .filter(({ member, year }) => writtenForms({ ...date, year }).includes(String(member)))
      .sort((a, b) => a.year - b.year)
      .at(-1);
    if (latest) return latest.member;
  }
  return undefined;
}

function candidates(schema: Schema, { dates, words }: TextFacts): readonly string[] {
  const forms = dates.flatMap(writtenForms);
  switch (textOf(schema.format)) {
    case undefined:
      break;
    case "date":
      return forms.filter((form) => /^\d{4}-\d{2}-\d{2}$/.test(form));
    case "email":
      return words.filter((word) => EMAIL.test(word));
    case "uri":
      return words.filter((word) => ADDRESS.test(word));
    default:
      return schema.pattern ? words : [];
  }
  const pattern = textOf(schema.pattern);
  // A pattern without anchors would match words that merely contain a value.
  return pattern && /^\^.*\$$/s.test(pattern) ? [...forms, ...words] : [];
}
