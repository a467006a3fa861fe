import { dirname } from "node:path";
import { ConfigError } from "../../adapters/config/config-error.ts";
import { createConfigFile } from "../../adapters/config/edit-config.ts";
import { ensurePrivateDir } from "../../adapters/config/locate.ts";
import { parseConfig } from "../../adapters/config/parse-config.ts";
import { readConfigFile } from "../../adapters/config/read-config-file.ts";
import { requireOwnFile } from "../../adapters/config/require-own-file.ts";
import { systemTokens } from "../../adapters/world.ts";
import type { UserFile } from "../../doors/cli/cli.ts";
import { findConfig } from "./find-place.ts";

const TOKEN_PREFIX = "kmj_";

export function createUserFile(): UserFile {
  return {
    /** Works also while the file has the problem that people are missing. */
    async read() {
      const { path } = findConfig();
      const { config, problems } = parseConfig((await readConfigFile(path, false)) ?? "", path);
      if (!config) throw new ConfigError(problems);
      return config.auth.users;
    },
    async edit(change) {
      const { path, isOwn, needsTrust } = findConfig();
      if (isOwn) ensurePrivateDir(dirname(path));
      if (needsTrust) requireOwnFile(path);
      const file = createConfigFile({ path, ...(needsTrust && { trustedIn: process.env }) });
      const { created, missing } = await file.editUsers(change, await file.readHash());
      return { path, created, missing: missing.map(({ text }) => text) };
    },
    newToken() {
      const token = `${TOKEN_PREFIX}${systemTokens.create()}`;
      return { token, hash: systemTokens.hash(token) };
    },
  };
}
