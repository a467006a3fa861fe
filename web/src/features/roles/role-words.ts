import { useCallback } from "react";
import { useLocale } from "../../i18n/locale.ts";

type Words = { readonly name: string; readonly description: string };
type WithEnglish = Words & { readonly english?: Words };

/** The name and description of a role in the language of the page. */
export function useRoleWords(): (role: WithEnglish) => Words {
  const locale = useLocale((state) => state.locale);
  return useCallback((role) => (locale === "en" ? (role.english ?? role) : role), [locale]);
}
