import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ensurePrivateDir } from "./locate.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "kuromajutsu-private-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a private directory", () => {
  test("is created with its parents, for this user only", () => {
    const path = join(folder, "p", "q");

    ensurePrivateDir(path);
    ensurePrivateDir(path);

    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test("that other users may read is closed to them", () => {
    const path = join(folder, "open");
    mkdirSync(path);
    chmodSync(path, 0o755);

    ensurePrivateDir(path);

    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test.each(["", "/"])("is never a symbolic link (name ending in %j)", (ending) => {
    const target = mkdtempSync(join(folder, "target-"));
    const link = `${target}-link`;
    symlinkSync(target, link);

    expect(() => ensurePrivateDir(`${link}${ending}`)).toThrow(/is a symbolic link/);
  });

  test("is not created behind a link that points nowhere", () => {
    const link = join(folder, "dangling");
    symlinkSync(join(folder, "trap"), link);

    expect(() => ensurePrivateDir(link)).toThrow(/is a symbolic link/);
    expect(existsSync(join(folder, "trap"))).toBe(false);
  });

  test("is never a file", () => {
    writeFileSync(join(folder, "file"), "");

    expect(() => ensurePrivateDir(join(folder, "file"))).toThrow(/is not a directory/);
  });

  test("is never a directory that all users share", () => {
    const path = join(folder, "sticky");
    mkdirSync(path);
    chmodSync(path, 0o1777);

    expect(() => ensurePrivateDir(path)).toThrow(/shared by all users/);
    expect(statSync(path).mode & 0o7777).toBe(0o1777);
  });

  test("is never another user's", () => {
    // A directory of another user: /usr for an ordinary user, one with a changed owner for root.
    const path = process.getuid?.() === 0 ? givenAway() : "/usr";

    expect(() => ensurePrivateDir(path)).toThrow(/belongs to another user/);
  });
});

function givenAway(): string {
  const path = join(folder, "given-away");
  mkdirSync(path);
  chownSync(path, 12_345, 12_345);
  return path;
}
