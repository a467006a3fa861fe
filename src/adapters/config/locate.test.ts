import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { dataDirFor, findConfigFile, type Machine, socketPathFor, thisMachine } from "./locate.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "kuromajutsu-locate-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A machine with only the given files. */
function aMachine(over: Partial<Machine> = {}): Machine {
  return {
    platform: "linux",
    home: "/home/kuro",
    tmp: "/tmp",
    uid: 1000,
    exists: () => false,
    realpath(path) {
      throw new Error(`ENOENT ${path}`);
    },
    ownsDirectory: () => false,
    ...over,
  };
}

const FILE = "kuromajutsu.config.yaml";
const withFiles = (...paths: readonly string[]) =>
  aMachine({ exists: (path) => paths.includes(path) });

test("locate.ts imports nothing but Node modules, because the shim loads it on every start", () => {
  const source = readFileSync(new URL("locate.ts", import.meta.url), "utf8");

  const imported = [...source.matchAll(/from "([^"]+)"/g)].map((match) => match[1]);

  expect(new Set(imported)).toEqual(new Set(["node:fs", "node:os", "node:path"]));
});

describe("the configuration file", () => {
  const machine = withFiles(`/a/b/${FILE}`, "/a/b/.git");

  test.each(["/a/b", "/a/b/", "/a/b/c/d"])("from %s is the one of its repository", (cwd) => {
    expect(findConfigFile(cwd, {}, machine)).toEqual({ path: `/a/b/${FILE}`, explicit: false });
  });

  test.each(["/a", "/", "/b"])("from %s there is none", (cwd) => {
    expect(findConfigFile(cwd, {}, machine)).toBeUndefined();
  });

  test.each([
    [
      "above the repository",
      "/home/kuro/clone/src",
      ["/home/kuro/clone/.git", `/home/kuro/${FILE}`],
    ],
    ["above the home directory", "/home/kuro/notes", [`/home/${FILE}`, `/${FILE}`]],
    ["above the working directory outside of both", "/srv/a/b", [`/srv/a/${FILE}`, `/${FILE}`]],
    ["in /tmp for a folder below it", "/tmp/work", [`/tmp/${FILE}`]],
  ])("%s is not searched", (_name, cwd, files) => {
    expect(findConfigFile(cwd, {}, withFiles(...files))).toBeUndefined();
  });

  test.each([
    ["in the home directory, for a folder in no repository", "/home/kuro/a/b", "/home/kuro"],
    ["in the working directory, wherever it is", "/srv/a", "/srv/a"],
  ])("%s is found", (_name, cwd, above) => {
    expect(findConfigFile(cwd, {}, withFiles(`${above}/${FILE}`))?.path).toBe(`${above}/${FILE}`);
  });

  test("the nearest one is used", () => {
    const files = withFiles("/home/kuro/p/.git", `/home/kuro/p/${FILE}`, `/home/kuro/p/q/${FILE}`);

    expect(findConfigFile("/home/kuro/p/q/r", {}, files)?.path).toBe(`/home/kuro/p/q/${FILE}`);
  });

  test("a symbolic link counts as the file it points to", () => {
    const clone = join(folder, "clone");
    const own = join(folder, "own");
    mkdirSync(clone);
    mkdirSync(own);
    writeFileSync(join(own, FILE), "");
    symlinkSync(join(own, FILE), join(clone, FILE));

    expect(findConfigFile(clone, {})?.path).toBe(join(own, FILE));
  });

  test.each([
    ["/x/y.yaml", "/x/y.yaml"],
    ["y.yaml", "/a/b/c/y.yaml"],
    ["../y.yaml", "/a/b/y.yaml"],
  ])("KUROMAJUTSU_CONFIG=%s names it, whether it exists or not", (named, path) => {
    expect(findConfigFile("/a/b/c", { KUROMAJUTSU_CONFIG: named }, machine)).toEqual({
      path,
      explicit: true,
    });
  });

  test("an empty KUROMAJUTSU_CONFIG counts as not set", () => {
    expect(findConfigFile("/a/b", { KUROMAJUTSU_CONFIG: "" }, machine)?.explicit).toBe(false);
  });

  test("is found on a real disk", () => {
    const deep = join(folder, "project", "src", "deep");
    mkdirSync(deep, { recursive: true });
    mkdirSync(join(folder, "project", ".git"));
    writeFileSync(join(folder, "project", FILE), "");

    expect(findConfigFile(deep, {})?.path).toBe(join(folder, "project", FILE));
  });
});

describe("the data directory", () => {
  const config = "/work/My Project/kuromajutsu.config.yaml";

  test("has the project's name and a hash of the configuration's path", () => {
    expect(dataDirFor(config, {}, aMachine())).toMatch(
      /^\/home\/kuro\/\.local\/state\/kuromajutsu\/My-Project-[0-9a-f]{8}$/,
    );
  });

  test("differs for another file in a folder of the same name", () => {
    const other = "/elsewhere/My Project/kuromajutsu.config.yaml";

    expect(dataDirFor(config, {}, aMachine())).not.toBe(dataDirFor(other, {}, aMachine()));
  });

  test.each([
    [undefined, {}, "linux", /^\/home\/kuro\/\.local\/state\/kuromajutsu\/default$/],
    [undefined, { XDG_STATE_HOME: "/s" }, "linux", /^\/s\/kuromajutsu\/default$/],
    [undefined, { XDG_STATE_HOME: "s" }, "linux", /^\/home\/kuro\/\.local\/state\//],
    [undefined, {}, "darwin", /^\/home\/kuro\/Library\/Application Support\/kuromajutsu\/default$/],
    [undefined, { KUROMAJUTSU_DATA_DIR: "/d/x/" }, "linux", /^\/d\/x$/],
    [config, { KUROMAJUTSU_DATA_DIR: "/d" }, "darwin", /^\/d$/],
    [config, { KUROMAJUTSU_DATA_DIR: "" }, "linux", /\/My-Project-[0-9a-f]{8}$/],
    ["/kuromajutsu.config.yaml", {}, "linux", /\/project-[0-9a-f]{8}$/],
    ["/a/黒魔術/k.yaml", {}, "linux", /\/黒魔術-[0-9a-f]{8}$/],
    ["/a/../..x/$(rm)/k.yaml", {}, "linux", /\/rm-[0-9a-f]{8}$/],
    [`/${"長".repeat(200)}/k.yaml`, {}, "linux", /\/長{40}-[0-9a-f]{8}$/],
  ] as const)("for %j with %j on %s is in the right place", (path, env, platform, expected) => {
    expect(dataDirFor(path, env, aMachine({ platform }))).toMatch(expected);
  });

  test("is the same through a symbolic link", () => {
    const real = join(folder, "real");
    mkdirSync(real);
    writeFileSync(join(real, "kuromajutsu.config.yaml"), "");
    symlinkSync(real, join(folder, "link"));

    const direct = dataDirFor(join(real, "kuromajutsu.config.yaml"), {});

    expect(dataDirFor(join(folder, "link", "kuromajutsu.config.yaml"), {})).toBe(direct);
  });
});

describe("the socket", () => {
  const xdg = { XDG_RUNTIME_DIR: "/run/user/1000" };
  const owner = aMachine({ ownsDirectory: (path) => path === "/run/user/1000" });

  test.each([
    [
      "the user's runtime directory",
      xdg,
      owner,
      /^\/run\/user\/1000\/kuromajutsu\/[0-9a-f]{12}\.sock$/,
    ],
    ["/tmp without one", {}, owner, /^\/tmp\/kuromajutsu-1000\/[0-9a-f]{12}\.sock$/],
    ["/tmp when it is another user's", xdg, aMachine(), /^\/tmp\/kuromajutsu-1000\//],
    [
      "/tmp when it is relative",
      { XDG_RUNTIME_DIR: "run" },
      aMachine({ ownsDirectory: () => true }),
      /^\/tmp\/kuromajutsu-1000\//,
    ],
    ["TMPDIR", {}, aMachine({ tmp: "/var/t" }), /^\/var\/t\/kuromajutsu-1000\//],
    [
      "/tmp when TMPDIR is long",
      {},
      aMachine({ tmp: `/${"t".repeat(80)}` }),
      /^\/tmp\/kuromajutsu-1000\//,
    ],
    [
      "/tmp when the runtime directory is long",
      { XDG_RUNTIME_DIR: `/${"r".repeat(90)}` },
      aMachine({ ownsDirectory: () => true }),
      /^\/tmp\/kuromajutsu-1000\//,
    ],
    [
      "/tmp when TMPDIR is long in bytes",
      {},
      aMachine({ tmp: `/${"長".repeat(25)}` }),
      /^\/tmp\/kuromajutsu-1000\//,
    ],
  ])("is in %s", (_, env, machine, expected) => {
    const path = socketPathFor(`/data/${"d".repeat(300)}`, env, machine);

    expect(path).toMatch(expected);
    expect(Buffer.byteLength(path)).toBeLessThan(100);
  });

  test("is the same before and after the data directory exists, also behind a link", () => {
    const place = join(folder, "place");
    mkdirSync(place);
    symlinkSync(place, join(folder, "place-link"));
    const dataDir = join(folder, "place-link", "not", "yet");

    const before = socketPathFor(dataDir, {});
    mkdirSync(dataDir, { recursive: true });

    expect(socketPathFor(dataDir, {})).toBe(before);
    expect(socketPathFor(join(place, "not", "yet"), {})).toBe(before);
  });

  test("differs between data directories", () => {
    expect(socketPathFor("/a", {}, aMachine())).not.toBe(socketPathFor("/b", {}, aMachine()));
  });
});

test("thisMachine finds its temporary directory", () => {
  const machine = thisMachine();

  expect(machine.ownsDirectory(folder)).toBe(true);
  expect(machine.ownsDirectory(join(folder, "nowhere"))).toBe(false);
});
