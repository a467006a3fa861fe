import type { Config } from "../../contract/config/schema.ts";
import { ConfigError } from "./config-error.ts";
import { assessTrust, type TrustAssessment, trustPowers } from "./config-trust.ts";
import type { Env } from "./locate.ts";
import { parseConfig } from "./parse-config.ts";
import { readConfigFile } from "./read-config-file.ts";
import { requireOwnFile } from "./require-own-file.ts";
import { createTrustStore } from "./trust-store.ts";

/** What a file that was found by searching would do, and which of it is trusted. */
export async function inspectTrust(path: string, env: Env): Promise<TrustAssessment> {
  return assessTrust(await readOwn(path), path, createTrustStore(env));
}

/** Trusts the file as it is now, if its powers have this hash. */
export async function trustFile(path: string, env: Env, shownHash: string): Promise<void> {
  trustPowers(createTrustStore(env), path, await readOwn(path), shownHash);
}

async function readOwn(path: string): Promise<Config> {
  requireOwnFile(path);
  const { config, problems } = parseConfig((await readConfigFile(path, true)) ?? "", path);
  if (!config) throw new ConfigError(problems);
  return config;
}
