import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { copyIgnored } from "./copy-ignored.ts";
import { createWorkspaceTools } from "./create-workspace-tools.ts";

const tools = createWorkspaceTools({ variables: process.env, extraNames: [] });

/** A repository that ignores `.env*`, `cache/` and `secret`. */
function aCheckout() {
  const home = aTempDir();
  const [from, to] = [join(home, "from"), join(home, "to")];
  execFileSync("git", ["init", "-q", from]);
  mkdirSync(to);
  write(from, ".gitignore", ".env*\ncache/\nsecret\n");
  return { home, from, to };
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test("copies matching ignored files with their modes, and nothing else", async () => {
  const { from, to } = aCheckout();
  write(from, ".env", "KEY=1\n");
  chmodSync(join(from, ".env"), 0o600);
  write(from, "packages/日本語 x/.env.local", "2\n");
  write(from, "cache/deep/tool", "#!/bin/sh\n");
  chmodSync(join(from, "cache/deep/tool"), 0o755);
  write(from, "secret", "not named\n");
  write(from, "new.txt", "not ignored\n");

  const copied = await tools.copyIgnored(from, to, [".env*", "**/.env.local", "cache", "new.txt"]);

  expect(copied).toEqual([".env", "cache/deep/tool", "packages/日本語 x/.env.local"]);
  expect(readFileSync(join(to, ".env"), "utf8")).toBe("KEY=1\n");
  expect(statSync(join(to, ".env")).mode & 0o777).toBe(0o600);
  expect(statSync(join(to, "cache/deep/tool")).mode & 0o777).toBe(0o755);
  expect(existsSync(join(to, "secret"))).toBe(false);
  expect(existsSync(join(to, "new.txt"))).toBe(false);
  expect(existsSync(`${to}.copy`)).toBe(false);
});

test("never overwrites, so that a second run copies only what is missing", async () => {
  const { from, to } = aCheckout();
  write(from, ".env", "from the checkout\n");
  write(from, ".env.test", "2\n");
  write(to, ".env", "of the worktree\n");
  // A daemon that died in the middle leaves this.
  write(`${to}.copy`, "0", "half");

  expect(await tools.copyIgnored(from, to, [".env*"])).toEqual([".env.test"]);
  expect(await tools.copyIgnored(from, to, [".env*"])).toEqual([]);
  expect(readFileSync(join(to, ".env"), "utf8")).toBe("of the worktree\n");
  expect(existsSync(`${to}.copy`)).toBe(false);
});

test("keeps links inside the checkout as links, and leaves out those that lead out of it", async () => {
  const { home, from, to } = aCheckout();
  write(home, "outside", "private\n");
  write(from, "cache/real", "1\n");
  symlinkSync("real", join(from, "cache/inside"));
  symlinkSync("../../outside", join(from, "cache/out"));
  symlinkSync(join(home, "outside"), join(from, "cache/absolute"));

  expect(await tools.copyIgnored(from, to, ["cache"])).toEqual(["cache/inside", "cache/real"]);
  expect(readlinkSync(join(to, "cache/inside"))).toBe("real");
});

test("never writes through a link in the worktree", async () => {
  const { home, from, to } = aCheckout();
  const outside = join(home, "elsewhere");
  mkdirSync(outside);
  symlinkSync(outside, join(to, "cache"));
  write(from, "cache/file", "1\n");
  write(from, "cache/deep/file", "1\n");

  expect(await tools.copyIgnored(from, to, ["cache"])).toEqual([]);
  expect(lstatSync(join(to, "cache")).isSymbolicLink()).toBe(true);
  expect(existsSync(join(outside, "file"))).toBe(false);
  expect(existsSync(join(outside, "deep"))).toBe(false);
});

test("more than the limit is refused before anything is copied", async () => {
  const { from, to } = aCheckout();
  write(from, ".env", "x".repeat(2_000_000));
  const env = { PATH: process.env["PATH"] ?? "" };

  await expect(
    copyIgnored({ from, to, globs: [".env"], env, maxBytes: 1_048_576 }),
  ).rejects.toMatchObject({
    code: "ISOLATION_NOT_POSSIBLE",
    message: "workspace.copy (.env) matches 2 MB of ignored files; at most 1 MB are copied.",
  });
  expect(existsSync(join(to, ".env"))).toBe(false);
});

test("a program that the repository's configuration names does not run", async () => {
  const { home, from, to } = aCheckout();
  const trap = join(home, "ran");
  execFileSync("git", ["config", "core.fsmonitor", `touch ${trap}`], { cwd: from });
  write(from, ".env", "1\n");

  expect(await tools.copyIgnored(from, to, [".env"])).toEqual([".env"]);
  expect(existsSync(trap)).toBe(false);
});

test("a directory outside of any repository is a refusal with the words of git", async () => {
  const { to } = aCheckout();

  await expect(tools.copyIgnored(aTempDir(), to, [".env"])).rejects.toMatchObject({
    code: "GIT_FAILED",
    message: expect.stringContaining("not a git repository"),
  });
});
