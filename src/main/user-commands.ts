import { dirname, join } from "node:path";
import { ConfigError } from "../adapters/config/config-error.ts";
import { createConfigFile } from "../adapters/config/edit-config.ts";
import {
  CONFIG_FILE_NAME,
  dataDirFor,
  ensurePrivateDir,
  findConfigFile,
  socketPathFor,
} from "../adapters/config/locate.ts";
import { parseConfig } from "../adapters/config/parse-config.ts";
import { readConfigFile } from "../adapters/config/read-config-file.ts";
import { requireOwnFile } from "../adapters/config/require-own-file.ts";
import { systemTokens } from "../adapters/world.ts";
import type { UserEdit } from "../app/ports/config-file.ts";
import type { Config } from "../contract/config.ts";
import { PERSON_ROLES, type PersonRole } from "../domain/people/person.ts";
import { Refusal } from "../domain/refusal.ts";
import { refuseAgents } from "./client/agent-above.ts";
import { askDaemon } from "./client/ask-daemon.ts";

const USER_COMMANDS: readonly string[] = ["add", "list", "token", "remove"];

const TOKEN_PREFIX = "kmj_";

export type UserOptions = {
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly json?: boolean | undefined;
};

type User = Config["auth"]["users"][number];

/** `user add|list|token|remove`: who may sign in. Tokens are printed once and kept nowhere. */
export async function runUser(args: readonly string[], options: UserOptions): Promise<number> {
  refuseAgents("user");
  const [action = "", id, ...more] = args;
  if (more.length > 0) throw new Error(`Unexpected: ${more.join(" ")}.`);
  if (action === "list" && id === undefined) return list(options.json ?? false);
  if (!USER_COMMANDS.includes(action) || action === "list" || !id) throw usage();
  try {
    if (action === "add") return await add(id, options);
    return action === "token" ? await renew(id) : await remove(id);
  } catch (error) {
    throw error instanceof Refusal ? new Error(`${error.message}\n${error.hint}`) : error;
  }
}

async function add(id: string, { name, role }: UserOptions): Promise<number> {
  const given = roleOf(role);
  const users = await readUsers();
  if (users.some((user) => user.id === id)) {
    throw new Error(
      `${id} is there already. A lost token is replaced with \`kuromajutsu user token ${id}\`.`,
    );
  }
  const token = newToken();
  const fields = {
    ...(name !== undefined && { name }),
    role: given,
    tokenHash: systemTokens.hash(token),
  };
  await edit({ kind: "set", id, fields });
  say(`${id} may sign in as ${given}.`);
  if (users.length === 0) say("From now on everyone has to sign in, you too.");
  await tellDaemon();
  return handOver(token);
}

async function renew(id: string): Promise<number> {
  await requireUser(id);
  const token = newToken();
  await edit({ kind: "set", id, fields: { tokenHash: systemTokens.hash(token) } });
  say(`The old token of ${id} counts no more, and ${id} is signed out everywhere.`);
  await tellDaemon();
  return handOver(token);
}

async function remove(id: string): Promise<number> {
  const users = await requireUser(id);
  await edit({ kind: "remove", id });
  say(`${id} cannot sign in any more.`);
  if (users.length === 1) {
    say("Nobody is left, so nobody has to sign in: everyone on this machine is `local` again.");
  }
  await tellDaemon();
  return 0;
}

async function list(asJson: boolean): Promise<number> {
  const users = (await readUsers()).map(({ id, name, role }) => ({ id, name: name ?? id, role }));
  if (asJson) {
    process.stdout.write(`${JSON.stringify(users, null, 2)}\n`);
  } else if (users.length === 0) {
    say("Nobody has to sign in: everyone on this machine is `local`.");
  }
  if (asJson) return 0;
  const width = Math.max(0, ...users.map(({ id }) => id.length));
  for (const { id, name, role } of users) {
    process.stdout.write(`${id.padEnd(width)}  ${role.padEnd(8)}  ${name === id ? "" : name}\n`);
  }
  return 0;
}

/** The token alone on stdout, so that a script can take it. */
function handOver(token: string): number {
  say("The token, which is shown only now; it is for the dashboard, and as KUROMAJUTSU_TOKEN for");
  say("the terminal and for `kuromajutsu mcp`:");
  process.stdout.write(`${token}\n`);
  return 0;
}

function newToken(): string {
  return `${TOKEN_PREFIX}${systemTokens.create()}`;
}

function roleOf(text: string = "operator"): PersonRole {
  const role = PERSON_ROLES.find((known) => known === text);
  if (role) return role;
  throw new Error(`--role: found "${text}"; expected one of ${PERSON_ROLES.join(", ")}.`);
}

async function requireUser(id: string): Promise<readonly User[]> {
  const users = await readUsers();
  if (users.some((user) => user.id === id)) return users;
  const known = users.map((user) => user.id).join(", ") || "nobody";
  throw new Error(`There is no ${id}; there is ${known}.`);
}

function place() {
  const found = findConfigFile(process.cwd(), process.env);
  const dataDir = dataDirFor(found?.path, process.env);
  return {
    dataDir,
    isOwn: found === undefined,
    needsTrust: found?.explicit === false,
    path: found?.path ?? join(dataDir, CONFIG_FILE_NAME),
  };
}

async function edit(change: UserEdit): Promise<void> {
  const { path, isOwn, needsTrust } = place();
  if (isOwn) ensurePrivateDir(dirname(path));
  if (needsTrust) requireOwnFile(path);
  const file = createConfigFile({ path, ...(needsTrust && { trustedIn: process.env }) });
  const { created, missing } = await file.editUsers(change, await file.readHash());
  say(created ? `Made ${path}.` : `Changed ${path}.`);
  for (const { text } of missing) say(`Still to be done, or no daemon starts: ${text}`);
}

/** Also of a file that is not right yet because people are missing. */
async function readUsers(): Promise<readonly User[]> {
  const { path } = place();
  const { config, problems } = parseConfig((await readConfigFile(path, false)) ?? "", path);
  if (!config) throw new ConfigError(problems);
  return config.auth.users;
}

async function tellDaemon(): Promise<void> {
  const { dataDir } = place();
  const socketPath = process.env["KUROMAJUTSU_SOCKET"] || socketPathFor(dataDir, process.env);
  const told = await askDaemon({ socketPath, dataDir }, "reload").catch(() => "unknown" as const);
  if (told === undefined) return;
  if (told === "unknown" || told.notReloaded === undefined) {
    say("The running daemon could not be told; restart it.");
  } else if (told.notReloaded !== null) {
    say(`The running daemon has not taken it over: ${told.notReloaded}`);
  } else {
    say("The running daemon has taken it over.");
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function usage(): Error {
  return new Error(
    "kuromajutsu user add <id> [--name NAME] [--role viewer|operator|admin]\nkuromajutsu user list | token <id> | remove <id>",
  );
}
