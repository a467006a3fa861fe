import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { createBaseHandlers } from "./base-handlers.ts";
import { placeOf } from "./worktree-place.ts";

const PATH = "/worker/0123456789abcdef/wsp-1";
const COMMIT = "a".repeat(40);

function aWorkerFolder() {
  const directory = join(aTempDir(), "incoming");
  const taken: string[] = [];
  const take = async (_key: string, commit: string, file: string): Promise<void> => {
    taken.push(`${commit} ${readFileSync(file, "utf8")}`);
  };
  const { handlers, dropIncoming } = createBaseHandlers({
    directory,
    fetched: { take },
    placeOf: (path) => placeOf("/worker", path),
  });
  const write = (offset: number, text: string) =>
    handlers["writeBase"]?.({ path: PATH, offset, data: Buffer.from(text).toString("base64") });
  const end = () => handlers["takeBase"]?.({ path: PATH, commit: COMMIT });
  return { write, end, taken, dropIncoming, file: join(directory, "wsp-1.bundle") };
}

test("pieces of a bundle become one file, which is taken and deleted", async () => {
  const { write, end, taken, file } = aWorkerFolder();
  await write(0, "abc");
  await write(3, "de");
  await end();
  expect(taken).toEqual([`${COMMIT} abcde`]);
  expect(existsSync(file)).toBe(false);
});

test("a transfer that begins again replaces what was there, and a gap is refused", async () => {
  const { write, end, taken } = aWorkerFolder();
  await write(0, "old and longer");
  await write(0, "abc");
  await expect(write(5, "x")).rejects.toThrow("A piece of the bundle is missing.");
  await write(3, "d");
  await end();
  expect(taken).toEqual([`${COMMIT} abcd`]);
});

test("what an earlier connection has not sent to its end is deleted", async () => {
  const { write, dropIncoming, file } = aWorkerFolder();
  await dropIncoming();
  await write(0, "abc");
  expect(existsSync(file)).toBe(true);
  await dropIncoming();
  expect(existsSync(file)).toBe(false);
});
