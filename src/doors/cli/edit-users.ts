import type { UserEdit } from "../../app/ports/config-file.ts";
import { Refusal, refusalIn } from "../../domain/refusal.ts";
import type { Cli, User, UserFile } from "./cli.ts";
import { refuseAgents } from "./refuse-agents.ts";

/** Runs a command on the file that lists who may sign in. */
export async function withUsers(
  cli: Cli,
  work: (file: UserFile) => Promise<number>,
): Promise<number> {
  refuseAgents(cli, "user");
  try {
    return await work(await cli.users());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, hint } = refusalIn(error, await cli.locale());
    throw new Error(`${message}\n  → ${hint}`, { cause: error });
  }
}

export async function requireUser(file: UserFile, id: string): Promise<readonly User[]> {
  const users = await file.read();
  if (users.some((user) => user.id === id)) return users;
  const known = users.map((user) => user.id).join(", ") || "nobody";
  throw new Error(`There is no ${id}; there is ${known}.`);
}

export async function editUsers(file: UserFile, change: UserEdit): Promise<void> {
  const { path, created, missing } = await file.edit(change);
  say(created ? `Made ${path}.` : `Changed ${path}.`);
  for (const problem of missing) say(`Still to be done, or no daemon starts: ${problem}`);
}

export async function reloadUsers(cli: Cli): Promise<void> {
  const answer = await cli
    .daemon()
    .ask("reload")
    .catch(() => "unknown" as const);
  if (answer === undefined) return;
  if (answer === "unknown" || answer.notReloaded === undefined) {
    say("The running daemon could not be reached; restart it.");
  } else if (answer.notReloaded !== null) {
    say(`The running daemon does not use the change: ${answer.notReloaded}`);
  } else {
    say("The running daemon uses the change now.");
  }
}

/** Prints only the token on stdout, so that a script can read it. */
export function printToken(token: string): number {
  say("The token, which is shown only now; it is for the dashboard, and as KUROMAJUTSU_TOKEN for");
  say("the terminal and for `kuromajutsu mcp`:");
  process.stdout.write(`${token}\n`);
  return 0;
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
