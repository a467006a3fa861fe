import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isCode } from "../../base/error-code.ts";
import { noBranch, pushFailed } from "./refusals.ts";
import { runProgram } from "./run-program.ts";

export type Remote = {
  readonly name: string;
  /** May contain a password: never shown. */
  readonly url: string;
};

type Environment = Readonly<Record<string, string>>;

const PUSH_TIMEOUT_MS = 120_000;

/** `origin`, else the first remote. */
export async function findRemote(
  repository: string,
  env: Environment,
): Promise<Remote | undefined> {
  const git = (...args: readonly string[]) =>
    runProgram({ argv: ["git", ...args], cwd: repository, env });
  const names = (await git("remote")).stdout.split("\n").filter((name) => name !== "");
  const name = names.includes("origin") ? "origin" : names[0];
  if (name === undefined) return undefined;
  const { isOk, stdout } = await git("remote", "get-url", "--push", "--", name);
  return isOk ? { name, url: stdout.trim() } : undefined;
}

/**
 * Pushes from an empty repository that borrows the objects: an agent can change the configuration of
 * the real one, and git would run what it names (`core.sshCommand`, `credential.helper`).
 */
export async function pushBranch(
  repository: string,
  branch: string,
  remote: Remote,
  env: Environment,
): Promise<void> {
  const read = async (...args: readonly string[]) => {
    const end = await runProgram({ argv: ["git", ...args], cwd: repository, env });
    return end.isOk ? end.stdout.trim() : undefined;
  };
  const commit = await read(
    "rev-parse",
    "--verify",
    "--end-of-options",
    `refs/heads/${branch}^{commit}`,
  );
  const common = await read("rev-parse", "--path-format=absolute", "--git-common-dir");
  if (commit === undefined || common === undefined) throw noBranch(branch);
  const format = (await read("rev-parse", "--show-object-format")) ?? "sha1";
  const empty = await mkdtemp(join(tmpdir(), "kuromajutsu-push-"));
  try {
    const git = (...args: readonly string[]) =>
      runProgram({ argv: ["git", ...args], cwd: repository, env, timeoutMs: PUSH_TIMEOUT_MS });
    const made = await git(
      "init",
      "--quiet",
      "--bare",
      "--template=",
      `--object-format=${format}`,
      empty,
    );
    if (!made.isOk) throw pushFailed(branch, remote.name, made.problem);
    await borrowObjects(empty, common);
    const refs = `${commit}:refs/heads/${branch}`;
    const pushed = await git(`--git-dir=${empty}`, "push", "--quiet", "--", remote.url, refs);
    if (!pushed.isOk) throw pushFailed(branch, remote.name, withoutSecrets(pushed.problem));
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

async function borrowObjects(empty: string, common: string): Promise<void> {
  const objects = resolve(common, "objects");
  await writeFile(join(empty, "objects", "info", "alternates"), `${objects}\n`);
  await copyFile(join(common, "shallow"), join(empty, "shallow")).catch((error: unknown) => {
    // Only a shallow clone has it.
    if (!isCode(error, "ENOENT")) throw error;
  });
}

/** git repeats the address, which may contain a user name with a password. */
export function withoutSecrets(text: string): string {
  return text.replace(/(\w+:\/\/)[^\s/@]+@/g, "$1***@");
}
