import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { aRepository } from "../../../test/kit/repository.ts";
import { createPrivateDirectories } from "./private-directory.ts";
import { createRunGit } from "./run-git.ts";

const TWO_HOURS_MS = 2 * 60 * 60 * 1_000;

test("what a killed process left is deleted after an hour, and what is in use is not", async () => {
  const { dir, common } = aRepository();
  const directories = createPrivateDirectories(join(dir, "private"), createRunGit(process.env));
  const slow = await directories.temporary(common);
  const left = join(dirname(slow.folder), "left");
  mkdirSync(left);
  const old = new Date();
  for (const folder of [slow.folder, left]) utimesSync(folder, old, old);

  vi.useFakeTimers({ now: Date.now() + TWO_HOURS_MS, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const next = await directories.temporary(common);

  expect([slow.folder, left, next.folder].map((folder) => existsSync(folder))).toEqual([
    true,
    false,
    true,
  ]);
  await slow.dispose();
  expect(existsSync(slow.folder)).toBe(false);
});
