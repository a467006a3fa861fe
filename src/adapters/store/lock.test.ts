import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { acquireLock } from "./lock.ts";
import { openStore } from "./open-store.ts";

test("the lock of a data directory has one holder, also within one process and through another path", async () => {
  const dataDir = join(aTempDir(), "data");
  const lock = acquireLock(dataDir);
  const alias = join(aTempDir(), "alias");
  symlinkSync(dataDir, alias);

  expect(lock).toBeDefined();
  expect(acquireLock(dataDir)).toBeUndefined();
  expect(acquireLock(alias)).toBeUndefined();
  // The attempts above have not released the lock for other processes.
  expect(await tryInAnotherProcess(dataDir)).toBe("busy");

  lock?.release();
  expect(await tryInAnotherProcess(dataDir)).toBe("locked");
});

test("releasing the lock twice does not release it for the next holder", () => {
  const dataDir = aTempDir();
  const first = acquireLock(dataDir);
  first?.release();
  const second = acquireLock(dataDir);

  first?.release();

  expect(second).toBeDefined();
  expect(acquireLock(dataDir)).toBeUndefined();
  second?.release();
});

test("using the store in the same directory does not release the lock", async () => {
  const dataDir = aTempDir();
  const lock = acquireLock(dataDir);

  await (await openStore({ dataDir })).close();

  expect(await tryInAnotherProcess(dataDir)).toBe("busy");
  lock?.release();
});

test("another process cannot take the lock until its holder is killed with kill -9", async () => {
  const dataDir = aTempDir();
  const holder = holdInAnotherProcess(dataDir);
  expect(await firstWord(holder)).toBe("locked");

  expect(acquireLock(dataDir)).toBeUndefined();

  holder.kill("SIGKILL");
  await once(holder, "exit");

  const lock = acquireLock(dataDir);
  expect(lock).toBeDefined();
  lock?.release();
});

test("locks of different directories are independent, and the lock file is private", () => {
  const [one, other] = [aTempDir(), aTempDir()];
  const locks = [acquireLock(one), acquireLock(other)];

  expect(locks).not.toContain(undefined);
  expect(statSync(join(one, "lock.db")).mode & 0o777).toBe(0o600);
  for (const lock of locks) lock?.release();
});

const HOLDER = `
  import { acquireLock } from ${JSON.stringify(new URL("lock.ts", import.meta.url))};
  console.log(acquireLock(process.argv[1]) ? "locked" : "busy");
  if (process.argv[2] === "hold") setInterval(() => globalThis.gc(), 10);
`;

function run(dataDir: string, mode: "try" | "hold"): ChildProcess {
  const child = spawn(
    process.execPath,
    ["--expose-gc", "--input-type=module", "-e", HOLDER, dataDir, mode],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** The process runs the garbage collector all the time: an unreferenced lock must stay held. */
function holdInAnotherProcess(dataDir: string): ChildProcess {
  return run(dataDir, "hold");
}

function tryInAnotherProcess(dataDir: string): Promise<string> {
  return firstWord(run(dataDir, "try"));
}

async function firstWord({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("The child has no output.");
  const [chunk] = await once(stdout, "data");
  return String(chunk).trim();
}
