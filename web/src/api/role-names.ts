import { useCallback } from "react";
import { useLocale } from "../i18n/locale.ts";
import { useRoles } from "./system.ts";

/** The live snapshot serves readers of every language, so it has the names as they are written. */
type Named = { readonly id: string; readonly name: string };

/** The name of a role of the live snapshot in the language of the page. */
export function useRoleName(): (role: Named) => string {
  const locale = useLocale((state) => state.locale);
  const roles = useRoles().data?.roles;
  return useCallback(
    ({ id, name }) => {
      const english = roles?.find((role) => role.id === id)?.english;
      return locale === "en" ? (english?.name ?? name) : name;
    },
    [roles, locale],
  );
}
