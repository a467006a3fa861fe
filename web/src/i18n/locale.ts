import { create } from "zustand";

export const LOCALES = ["ja", "en"] as const;
export type Locale = (typeof LOCALES)[number];

const KEY = "kuromajutsu.locale";

/** Japanese if the browser prefers it or names no language, otherwise English. */
export function localeOf(languages: readonly string[]): Locale {
  const [first] = languages;
  return first === undefined || first === "" || /^ja(?:$|[-_])/i.test(first) ? "ja" : "en";
}

function chosen(): Locale | undefined {
  try {
    return LOCALES.find((known) => known === localStorage.getItem(KEY));
  } catch {
    return undefined;
  }
}

/** What the person chose in this browser; until then the browser's languages decide. */
export const useLocale = create<{ readonly locale: Locale }>(() => ({
  locale: chosen() ?? localeOf(navigator.languages),
}));

export function setLocale(locale: Locale): void {
  try {
    localStorage.setItem(KEY, locale);
  } catch {
    // Without storage the choice holds until the page is reloaded.
  }
  document.documentElement.lang = locale;
  useLocale.setState({ locale });
}
