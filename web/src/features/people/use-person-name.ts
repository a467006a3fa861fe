import { useCallback } from "react";
import { actorName } from "../../../../src/contract/actor-name.ts";
import { useMe } from "../../api/use-me.ts";
import { useLocale } from "../../i18n/locale.ts";
import { visibleName } from "../../text/visible.ts";

/**
 * The display name of a requester, decider or actor. Without sign-in every person is `local`; with it,
 * `local` is a person of the time before.
 */
export function usePersonName(): (id: string | null) => string {
  const locale = useLocale((state) => state.locale);
  const hasSignIn = useMe()?.signIn === true;
  return useCallback(
    (id) => (id === "local" && hasSignIn ? id : visibleName(actorName(locale, id))),
    [locale, hasSignIn],
  );
}
