import { type Locale, useLocale } from "./locale.ts";

/** Texts in both languages; a text missing in one of them is a type error. */
export type Texts<Words> = Readonly<Record<Locale, Words>>;

export function defineTexts<Words>(texts: {
  readonly ja: Words;
  readonly en: NoInfer<Words>;
}): Texts<Words> {
  return texts;
}

export function useTexts<Words>(texts: Texts<Words>): Words {
  return texts[useLocale(({ locale }) => locale)];
}
