import type { Locale } from "../domain/locale.ts";
import type { Core, Identity } from "./core.ts";

/** The language of the answer to this sender. Agents get the language of the daemon. */
export function localeOf({ settings }: Core, identity: Identity): Locale {
  return (identity.kind === "agent" ? undefined : identity.locale) ?? settings.locale;
}
