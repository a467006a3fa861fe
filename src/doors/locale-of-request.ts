import type { Settings } from "../app/core.ts";
import { LANGUAGE_HEADER } from "../contract/http-headers.ts";
import { type Locale, LOCALES, localeOfAcceptLanguage } from "../domain/locale.ts";

/** The language of the answer to an HTTP request. */
export function localeOfRequest(
  { chosenLocale, locale }: Pick<Settings, "chosenLocale" | "locale">,
  headers: Headers | undefined,
): Locale {
  const byPerson = LOCALES.find((each) => each === headers?.get(LANGUAGE_HEADER));
  const byBrowser = localeOfAcceptLanguage(headers?.get("accept-language"));
  return byPerson ?? chosenLocale ?? byBrowser ?? locale;
}
