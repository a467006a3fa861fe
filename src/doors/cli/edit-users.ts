import type { UserEdit } from "../../app/ports/config-file.ts";
import { Refusal, refusalIn } from "../../domain/refusal.ts";
import { ADMIN_TEXTS, type AdminTexts } from "./admin-texts.ts";
import type { Cli, User, UserFile } from "./cli.ts";
import { refuseAgents } from "./refuse-agents.ts";
import { writeWrapped } from "./screen/wrap-text.ts";

/** Runs a command on the file that lists who may sign in. */
export async function withUsers(
  cli: Cli,
  work: (file: UserFile, texts: AdminTexts) => Promise<number>,
): Promise<number> {
  const texts = ADMIN_TEXTS[await cli.locale()];
  await refuseAgents(cli, "user");
  try {
    return await work(await cli.users(), texts);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, hint } = refusalIn(error, await cli.locale());
    throw new Error(`${message}\n  → ${hint}`, { cause: error });
  }
}

export async function requireUser(
  file: UserFile,
  texts: AdminTexts,
  id: string,
): Promise<readonly User[]> {
  const users = await file.read();
  if (users.some((user) => user.id === id)) return users;
  throw new Error(
    texts.noUser(
      id,
      users.map((user) => user.id),
    ),
  );
}

export async function editUsers(
  file: UserFile,
  texts: AdminTexts,
  change: UserEdit,
): Promise<void> {
  const { path, created, missing } = await file.edit(change);
  say(created ? texts.fileMade(path) : texts.fileChanged(path));
  for (const problem of missing) say(texts.stillMissing(problem));
}

export async function reloadUsers(cli: Cli, texts: AdminTexts): Promise<void> {
  const answer = await cli
    .daemon()
    .ask("reload")
    .catch(() => "unknown" as const);
  if (answer === undefined) return;
  if (answer === "unknown" || answer.notReloaded === undefined) {
    say(texts.daemonUnreachable);
  } else if (answer.notReloaded !== null) {
    say(texts.changeNotUsed(answer.notReloaded));
  } else {
    say(texts.changeUsed);
  }
}

/** Prints only the token on stdout, so that a script can read it. */
export function printToken(token: string, texts: AdminTexts): number {
  say(texts.token);
  process.stdout.write(`${token}\n`);
  return 0;
}

export function say(text: string): void {
  writeWrapped(process.stderr, `${text}\n`);
}
