import { type Locale, localeOfVariables } from "../../domain/locale.ts";
import { findConfig } from "./find-place.ts";

/** The language of the configuration that is found from here, else that of this process. */
export async function localeHere(): Promise<Locale> {
  return (await configuredLocale()) ?? localeOfVariables(process.env);
}

/** A file that is missing or wrong must not keep the help from being shown. */
async function configuredLocale(): Promise<Locale | undefined> {
  const { readConfigFile } = await import("../../adapters/config/read-config-file.ts");
  const { path } = findConfig();
  const text = await readConfigFile(path, false).catch(() => undefined);
  // Without the key there is nothing to find; the parser takes time to load.
  if (!text?.includes("locale")) return undefined;
  const { parseConfig } = await import("../../adapters/config/parse-config.ts");
  return parseConfig(text, path).config?.locale;
}
