import { join } from "node:path";
import {
  CONFIG_FILE_NAME,
  dataDirFor,
  findConfigFile,
  socketPathFor,
} from "../../adapters/config/locate.ts";
import type { DaemonPlace } from "../client/connect-or-start.ts";

/** Where the daemon of the configuration file that is found from here listens. */
export function findPlace(): DaemonPlace & { readonly dataDir: string } {
  const config = findConfigFile(process.cwd(), process.env);
  return { ...placeOf(config?.path), config, insideAgent: false };
}

export function placeOf(configPath: string | undefined) {
  const dataDir = dataDirFor(configPath, process.env);
  const named = process.env["KUROMAJUTSU_SOCKET"];
  return { dataDir, socketPath: named || socketPathFor(dataDir, process.env) };
}

/** The configuration file that the daemon uses; without one in the project, the daemon's own. */
export function findConfig() {
  const { config, dataDir } = findPlace();
  return {
    isOwn: config === undefined,
    needsTrust: config?.explicit === false,
    path: config?.path ?? join(dataDir, CONFIG_FILE_NAME),
  };
}
