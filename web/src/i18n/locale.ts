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

/** Japanese first; what somebody chose is remembered. */
export const useLocale = create<{ readonly locale: Locale }>(() => ({ locale: remembered() }));

export function setLocale(locale: Locale): void {
  try {
    localStorage.setItem(KEY, locale);
  } catch {
    // A browser that keeps nothing still shows it now.
  }
  document.documentElement.lang = locale;
  useLocale.setState({ locale });
}
