import {
  chmodSync,
  chownSync,
  mkdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { compileCacheDir, sharedCompileCache } from "./compile-cache.ts";

const OTHER_USER = 65_534;
const IS_ROOT = process.getuid?.() === 0;

test("the compile cache is a private directory in the user's cache directory", () => {
  const cache = realpathSync(aTempDir());

  const found = compileCacheDir({ XDG_CACHE_HOME: cache });

  expect(found).toBe(join(cache, "kuromajutsu"));
  expect(statSync(join(cache, "kuromajutsu")).mode & 0o777).toBe(0o700);
});

test.skipIf(process.platform === "darwin")(
  "the compile cache is in ~/.cache without XDG_CACHE_HOME",
  () => {
    const home = realpathSync(aTempDir());

    expect(compileCacheDir({}, home)).toBe(join(home, ".cache", "kuromajutsu"));
    expect(compileCacheDir({ XDG_CACHE_HOME: "cache" }, home)).toBe(
      join(home, ".cache", "kuromajutsu"),
    );
  },
);

test("a link in place of the compile cache is not used", () => {
  const cache = aTempDir();
  mkdirSync(join(cache, "elsewhere"));
  symlinkSync(join(cache, "elsewhere"), join(cache, "kuromajutsu"));

  expect(compileCacheDir({ XDG_CACHE_HOME: cache })).toBeUndefined();
});

test("no cache directory is used below a folder where every user may write", () => {
  const cache = aTempDir();
  chmodSync(cache, 0o777);

  expect(compileCacheDir({ XDG_CACHE_HOME: cache })).toBeUndefined();
});

test("no cache directory is used where none can be made", () => {
  const file = join(aTempDir(), "file");
  writeFileSync(file, "");

  expect(compileCacheDir({ XDG_CACHE_HOME: file })).toBeUndefined();
});

test.runIf(IS_ROOT)("a cache directory of another user is not used", () => {
  const cache = aTempDir();
  mkdirSync(join(cache, "kuromajutsu"));
  chownSync(join(cache, "kuromajutsu"), OTHER_USER, OTHER_USER);

  expect(compileCacheDir({ XDG_CACHE_HOME: cache })).toBeUndefined();
});

test.runIf(IS_ROOT)("a cache directory below a folder of another user is not used", () => {
  const cache = aTempDir();
  chownSync(cache, OTHER_USER, OTHER_USER);

  expect(compileCacheDir({ XDG_CACHE_HOME: cache })).toBeUndefined();
});

test("a process without a compile cache shares none", () => {
  expect(sharedCompileCache()).toEqual({});
});
