import { loadConfig, type LoadedConfig } from "../../adapters/config/load-config.ts";
import { findConfigFile } from "../../adapters/config/locate.ts";
import { takeDatabaseUrl } from "../process/database-url.ts";

/** The configuration as a daemon that is started here would use it. */
export async function loadConfigHere(): Promise<LoadedConfig> {
  const env = { ...process.env, ...takeDatabaseUrl() };
  const source = findConfigFile(process.cwd(), env);
  const explicit = source?.explicit ?? false;
  const found = source !== undefined && !explicit;
  return loadConfig({ path: source?.path, explicit, found, env });
}
