import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { planClientFile, writePlanned } from "../../adapters/clients/client-file.ts";
import {
  clientPlace,
  type ClientPlace,
  type Folders,
} from "../../adapters/clients/client-place.ts";
import { findClients } from "../../adapters/clients/find-clients.ts";
import { problemWithPlace } from "../../adapters/clients/own-place.ts";
import { ConfigError } from "../../adapters/config/config-error.ts";
import { inspectTrust, trustFile } from "../../adapters/config/inspect-trust.ts";
import {
  CONFIG_FILE_NAME,
  dataDirFor,
  ensurePrivateDir,
  findConfigFile,
} from "../../adapters/config/locate.ts";
import { newConfigText } from "../../adapters/config/new-config.ts";
import { requireOwnFile } from "../../adapters/config/require-own-file.ts";
import type {
  FileProblem,
  PlannedChange,
  PlannedFile,
  Setup,
  SetupScope,
} from "../../app/ports/setup.ts";
import type { ClientId } from "../../contract/mcp-clients.ts";
import { inEach, type Locale } from "../../domain/locale.ts";
import { clientCommand, commandName } from "../entries.ts";

const PRIVATE = 0o600;
const SHARED = 0o644;

export async function createSetup(locale: Locale): Promise<Setup> {
  const { env, platform } = process;
  const folders = { project: process.cwd(), home: homedir(), env, platform };
  const isProject = !existsSync(folders.home) || folders.project !== realpathSync(folders.home);
  const places = new Map<string, ClientPlace>();
  function planIn(client: ClientId, scope: SetupScope): PlannedFile {
    const place = clientPlace(client, scope, folders);
    if (!place) return { owner: client, kind: "no-file" };
    places.set(join(place.base, ...place.names), place);
    return planClientFile(client, place, clientCommand());
  }
  /** An entry in the user's file serves this project too. */
  function planClient(client: ClientId, scope: SetupScope): PlannedFile {
    const nearest = planIn(client, scope);
    if (scope !== "nearest" || (nearest.kind !== "create" && nearest.kind !== "add"))
      return nearest;
    const global = planIn(client, "global");
    return global.kind === "same" || global.kind === "change" ? global : nearest;
  }
  return {
    locale,
    program: commandName(),
    isProject,
    findRunners,
    findClients: () => findClients(folders),
    async plan({ clients, scope: wanted, runner }) {
      const scope = isProject ? wanted : "global";
      const config = planConfig(configPath(folders, scope), newConfigText({ locale, runner }));
      return [config, ...clients.map((client) => planClient(client, scope))];
    },
    async write(file) {
      if (file.owner === "kuromajutsu") return writeConfig(file);
      const place = places.get(file.path);
      if (!place) throw new Error(`${file.path} was not planned.`);
      return writePlanned(file, place, place.scope === "global" ? PRIVATE : SHARED);
    },
  };
}

/** The rehearsal is part of this program, and `acp` starts one of the other CLIs. */
async function findRunners() {
  const { createRunners } = await import("../daemon/create-runners.ts");
  const found = await Promise.all(
    [...createRunners({ acpCommand: [] }).values()]
      .filter(({ id }) => id !== "rehearsal" && id !== "acp")
      .map(async (runner) => ({ id: runner.id, command: (await runner.detect())?.command })),
  );
  return found.flatMap(({ id, command }) => (command === undefined ? [] : [{ id, command }]));
}

/** The file in use; a new one goes to the project or, for all projects, to the daemon's own place. */
function configPath({ project, env }: Folders, scope: SetupScope): string {
  const found = findConfigFile(project, env);
  if (found?.explicit) return found.path;
  if (scope === "global") return join(dataDirFor(undefined, env), CONFIG_FILE_NAME);
  return found?.path ?? join(project, CONFIG_FILE_NAME);
}

const placeOfConfig = (path: string) => ({ base: dirname(path), names: [basename(path)] });

function planConfig(path: string, after: string): PlannedFile {
  const file = { owner: "kuromajutsu", path } as const;
  if (existsSync(path)) return { ...file, kind: "same" };
  const problem = problemWithPlace(placeOfConfig(path)) ?? problemWithFolder(path);
  if (problem) return { ...file, kind: "refused", problem, entry: after.trimEnd() };
  return { ...file, kind: "create", before: undefined, after };
}

/** A file in a folder that other users may change would not be used. */
function problemWithFolder(path: string): FileProblem | undefined {
  if (process.env["KUROMAJUTSU_CONFIG"]) return undefined;
  try {
    requireOwnFile(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problems } = error;
    const detail = inEach((locale) => problems.map(({ text }) => text[locale]).join(" "));
    return { kind: "shared", detail };
  }
}

/** What we write ourselves is trusted at once. */
async function writeConfig(file: PlannedChange): Promise<FileProblem | undefined> {
  const { env } = process;
  const isOwn = dirname(file.path) === dataDirFor(undefined, env);
  if (isOwn) ensurePrivateDir(dirname(file.path));
  const problem = await writePlanned(file, placeOfConfig(file.path), isOwn ? PRIVATE : SHARED);
  if (problem) return problem;
  const found = findConfigFile(dirname(file.path), env);
  if (found?.explicit !== false) return undefined;
  const { trust } = await inspectTrust(found.path, env);
  await trustFile(found.path, env, trust.hash);
  return undefined;
}
