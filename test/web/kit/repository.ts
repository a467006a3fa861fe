import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const USER = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Hana",
  GIT_AUTHOR_EMAIL: "hana@example.com",
  GIT_COMMITTER_NAME: "Hana",
  GIT_COMMITTER_EMAIL: "hana@example.com",
};

export type WebRepository = ReturnType<typeof aRepository>;

/** A repository of a person with one commit on main, in a folder that `remove` deletes. */
export function aRepository(files: Readonly<Record<string, string>>) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "kuromajutsu-repository-")));
  const root = join(dir, "shop");
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", env: USER, stdio: "pipe" }).trimEnd();
  mkdirSync(root);
  git("init", "-q", "-b", "main");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  return {
    dir,
    root,
    git,
    /** A bare repository beside it, as the remote `origin` that has the branch main. */
    addRemote(): void {
      const remote = join(dir, "remote.git");
      git("init", "-q", "--bare", "-b", "main", remote);
      git("remote", "add", "origin", remote);
      git("push", "-q", "origin", "main");
    },
    remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }),
  };
}
