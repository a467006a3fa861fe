import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { inspectTrust, trustFile } from "../../adapters/config/inspect-trust.ts";
import { CONFIG_FILE_NAME, findConfigFile } from "../../adapters/config/locate.ts";
import { createTrustStore } from "../../adapters/config/trust-store.ts";
import { nameCommand } from "../../base/command-name.ts";
import { localeOfVariables } from "../../domain/locale.ts";
import type { TrustFiles } from "../../doors/cli/cli.ts";
import { commandName } from "../entries.ts";

export function createTrustFiles(): TrustFiles {
  const { env } = process;
  return {
    nearest: () => findConfigFile(process.cwd(), { ...env, KUROMAJUTSU_CONFIG: "" })?.path,
    inUse() {
      const found = findConfigFile(process.cwd(), env);
      return found?.explicit === false ? found.path : undefined;
    },
    resolve: fileOf,
    async inspect(path) {
      const { trust: found, config, weakened } = await inspectTrust(path, env);
      const trust = { ...found, command: nameCommand(found.command, commandName()) };
      return { trust, locale: config.locale ?? localeOfVariables(env), weakened };
    },
    trust: (path, shownHash) => trustFile(path, env, shownHash),
    list() {
      const { files, problem } = createTrustStore(env).read();
      if (problem) throw new Error(problem);
      const entries = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
      return entries.map(([path, { at }]) => ({ path, at }));
    },
    revoke(path) {
      const store = createTrustStore(env);
      const wasTrusted = store.read().files[path] !== undefined;
      store.change(path, () => undefined);
      return wasTrusted;
    },
  };
}

/** Follows links, as the search for the file does. */
function fileOf(named: string): string {
  const path = resolve(named);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = isFolder ? join(path, CONFIG_FILE_NAME) : path;
  try {
    return realpathSync(file);
  } catch {
    // Trust in a file can be revoked after the file was deleted.
    return file;
  }
}
