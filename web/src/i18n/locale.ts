import { create } from "zustand";

export const LOCALES = ["ja", "en"] as const;
export type Locale = (typeof LOCALES)[number];

const KEY = "kuromajutsu.locale";

function remembered(): Locale {
  try {
    return LOCALES.find((known) => known === localStorage.getItem(KEY)) ?? "ja";
  } catch {
    return "ja";
  }
}

/** Japanese by default; the choice is stored in this browser. */
export const useLocale = create<{ readonly locale: Locale }>(() => ({ locale: remembered() }));

export function setLocale(locale: Locale): void {
  try {
    localStorage.setItem(KEY, locale);
  } catch {
    // Without storage the choice holds until the page is reloaded.
  }
  document.documentElement.lang = locale;
  useLocale.setState({ locale });
}
