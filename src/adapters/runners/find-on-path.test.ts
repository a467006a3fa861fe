import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPathSearch, findOnPath } from "./find-on-path.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "find-on-path-"));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

async function anExecutable(folder: string, name: string): Promise<string> {
  const file = join(root, folder, name);
  await mkdir(join(root, folder), { recursive: true });
  await writeFile(file, "#!/bin/sh\n");
  await chmod(file, 0o755);
  return file;
}

function pathOf(...folders: readonly string[]): string {
  return folders.map((folder) => join(root, folder)).join(delimiter);
}

test("findOnPath returns the program in the first folder that has it", async () => {
  const first = await anExecutable("a", "tool");
  await anExecutable("b", "tool");

  expect(await findOnPath(["tool"], pathOf("none", "a", "b"))).toBe(first);
});

test("findOnPath prefers an earlier name to an earlier folder", async () => {
  await anExecutable("a", "old-name");
  const wanted = await anExecutable("b", "new-name");

  expect(await findOnPath(["new-name", "old-name"], pathOf("a", "b"))).toBe(wanted);
});

test("findOnPath skips a file that is not executable, and a folder with that name", async () => {
  await writeFile(await anExecutable("a", "tool"), "text");
  await chmod(join(root, "a", "tool"), 0o644);
  await mkdir(join(root, "b", "tool"), { recursive: true });
  const wanted = await anExecutable("c", "tool");

  expect(await findOnPath(["tool"], pathOf("a", "b", "c"))).toBe(wanted);
});

test("findOnPath finds nothing without PATH, with an empty one and in relative folders", async () => {
  await anExecutable("a", "tool");

  expect(await findOnPath(["tool"], undefined)).toBeUndefined();
  expect(await findOnPath(["tool"], "")).toBeUndefined();
  expect(await findOnPath(["vitest"], `node_modules/.bin${delimiter}.`)).toBeUndefined();
});

test("a path search does not cache a missing program, because it may just have been installed", async () => {
  const search = createPathSearch(["tool"], () => pathOf("a"));
  expect(await search()).toBeUndefined();

  const installed = await anExecutable("a", "tool");

  expect(await search()).toBe(installed);
});

test("a path search does not use its cache for another PATH", async () => {
  let path = pathOf("a");
  const [first, second] = [await anExecutable("a", "tool"), await anExecutable("b", "tool")];
  const search = createPathSearch(["tool"], () => path);
  expect(await search()).toBe(first);

  path = pathOf("b");

  expect(await search()).toBe(second);
});

test("a path search notices within a second that the program was removed", async () => {
  const file = await anExecutable("a", "tool");
  const search = createPathSearch(["tool"], () => pathOf("a"));
  expect(await search()).toBe(file);
  await rm(file);

  await expect.poll(search, { interval: 100 }).toBeUndefined();
});
