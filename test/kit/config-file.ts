import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../src/adapters/config/config-error.ts";
import { loadConfig, type LoadConfig } from "../../src/adapters/config/load-config.ts";
import type { Locale } from "../../src/domain/locale.ts";
import { aTempDir } from "./tmp-dir.ts";

export function aConfigFile(content: string | Uint8Array): string {
  const path = join(aTempDir(), "1.yaml");
  writeFileSync(path, content);
  return path;
}

export function loadText(content: string | Uint8Array, env: LoadConfig["env"] = {}) {
  return loadConfig({ path: aConfigFile(content), explicit: true, env });
}

/** The printed error, with FILE in place of the temporary path. */
export async function configErrorOf(
  loading: Promise<unknown>,
  locale: Locale = "en",
): Promise<string> {
  const error: unknown = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw new Error(`not a ConfigError: ${String(error)}`);
  return error.texts[locale].replaceAll(/\S*\/\d+\.yaml/g, "FILE");
}
