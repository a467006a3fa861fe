/** Languages of the product's texts. */
export const LOCALES = ["ja", "en"] as const;
export type Locale = (typeof LOCALES)[number];

/** One text in each language of the product. */
export type Texts = Readonly<Record<Locale, string>>;

/** The same sentence in each language. */
export function inEach(say: (locale: Locale) => string): Texts {
  return { ja: say("ja"), en: say("en") };
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The language that the variables of a process ask for. The product's own language is Japanese, so
 * it is used if no variable says anything; every language we do not have gets English.
 */
export function localeOfVariables(variables: Variables): Locale {
  const language = variables["LC_ALL"] || variables["LC_MESSAGES"] || variables["LANG"] || "ja";
  return isJapanese(language) ? "ja" : "en";
}

/**
 * The language that a header `Accept-Language` prefers. undefined: it prefers none (`*`), as many
 * HTTP libraries send it.
 */
export function localeOfAcceptLanguage(header: string | null | undefined): Locale | undefined {
  const wanted = (header ?? "")
    .split(",")
    .map(rangeOf)
    .filter(({ tag, weight }) => tag !== "" && tag !== "*" && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  if (wanted.length === 0) return undefined;
  return wanted.find((tag) => isJapanese(tag) || isEnglish(tag))?.startsWith("ja") ? "ja" : "en";
}

function rangeOf(text: string): { readonly tag: string; readonly weight: number } {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1);
  return { tag, weight: Number.isNaN(weight) ? 0 : weight };
}

const isJapanese = (language: string) => /^ja(?![a-z])/i.test(language);
const isEnglish = (language: string) => /^en(?![a-z])/i.test(language);
