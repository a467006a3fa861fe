import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { aConfigFile, configErrorOf, loadText } from "../../../test/kit/config-file.ts";
import { loadConfig } from "./load-config.ts";
import { describeReadError } from "./read-config-file.ts";

const folder = mkdtempSync(join(tmpdir(), "kuromajutsu-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("sources of settings", () => {
  test("without a file all settings are defaults, and a note says so", async () => {
    const env = { XDG_STATE_HOME: join(folder, "state") };
    const loaded = await loadConfig({ path: undefined, explicit: false, env });

    expect(loaded.path).toBeNull();
    expect(loaded.config.dashboard.port).toBe(9696);
    expect(loaded.bind).toBe("127.0.0.1");
    expect(loaded.dataDir).toMatch(/kuromajutsu\/default$/);
    expect(loaded.roles).toHaveLength(6);
    expect(loaded.tools.map(({ id }) => id)).toEqual(["textlint"]);
    expect(loaded.notes).toEqual(["No kuromajutsu.config.yaml found; using the defaults."]);
  });

  test.each([
    ["", { LANG: "en_US.UTF-8" }, { locale: "en", chosen: null }],
    ["", { LANG: "ja_JP.UTF-8" }, { locale: "ja", chosen: null }],
    ["", {}, { locale: "ja", chosen: null }],
    ["locale: ja\n", { LANG: "en_US.UTF-8" }, { locale: "ja", chosen: "ja" }],
    ["locale: en\n", {}, { locale: "en", chosen: "en" }],
  ])("a file %j with the variables %j decides the language", async (text, env, expected) => {
    const path = join(folder, "language.yaml");
    writeFileSync(path, text);

    const { config, chosenLocale } = await loadConfig({ path, explicit: true, env });

    expect({ locale: config.locale, chosen: chosenLocale }).toEqual(expected);
  });

  test("without a project file, edits create a file in the data directory, which is used from then on", async () => {
    const dataDir = join(folder, "own-data");
    const where = { path: undefined, explicit: false, env: { KUROMAJUTSU_DATA_DIR: dataDir } };
    const file = join(dataDir, "kuromajutsu.config.yaml");
    expect(await loadConfig(where)).toMatchObject({ file, path: null, dataDir });

    mkdirSync(dataDir);
    writeFileSync(file, "agent: {maxConcurrent: 3}\n");
    const loaded = await loadConfig(where);

    expect(loaded.config.agent.maxConcurrent).toBe(3);
    // This file belongs to no project: nothing else depends on its location.
    expect(loaded).toMatchObject({ path: null, dataDir, notes: [`Configuration from ${file}.`] });
  });

  test("a file that vanished after it was found counts as missing", async () => {
    const path = join(folder, "vanished.yaml");

    const loaded = await loadConfig({ path, explicit: false, env: {} });

    expect(loaded.path).toBeNull();
  });

  test.each(["", "\n\n", "# nothing but a comment\n", "---\n", "\u{FEFF}"])(
    "an empty file (%j) gives the defaults",
    async (content) => {
      const loaded = await loadText(content);

      expect(loaded.config.agent.maxConcurrent).toBe(10);
    },
  );

  test("the environment overrides the file, and the file overrides the defaults", async () => {
    const text = "dashboard: {port: 1111}\nlog: {level: warn}\nagent: {maxConcurrent: 3}\n";

    const loaded = await loadText(text, { KUROMAJUTSU_PORT: "0", KUROMAJUTSU_LOG_LEVEL: "debug" });

    expect(loaded.config.dashboard.port).toBe(0);
    expect(loaded.config.log.level).toBe("debug");
    expect(loaded.config.agent).toMatchObject({ maxConcurrent: 3, maxQueued: 1000 });
    expect(loaded.notes).toEqual([
      `Configuration from ${loaded.path}.`,
      "dashboard.port is 0 by KUROMAJUTSU_PORT.",
      "log.level is debug by KUROMAJUTSU_LOG_LEVEL.",
    ]);
  });

  test("an empty variable counts as not set", async () => {
    const loaded = await loadText("dashboard: {port: 1111}\n", {
      KUROMAJUTSU_PORT: "",
      KUROMAJUTSU_LOG_LEVEL: "",
      KUROMAJUTSU_BIND: "",
      KUROMAJUTSU_BEHIND_LOOPBACK: "",
    });

    expect(loaded.config.dashboard.port).toBe(1111);
    expect(loaded.bind).toBe("127.0.0.1");
  });

  test("KUROMAJUTSU_DATA_DIR names the data directory", async () => {
    const loaded = await loadText("", { KUROMAJUTSU_DATA_DIR: join(folder, "data") });

    expect(loaded.dataDir).toBe(join(folder, "data"));
  });

  test("anchors, Windows line ends and a byte order mark are accepted", async () => {
    const loaded = await loadText(
      "\u{FEFF}agent: &a\r\n  maxConcurrent: 2\r\nlog:\r\n  level: error\r\n",
    );

    expect(loaded.config.agent.maxConcurrent).toBe(2);
    expect(loaded.config.log.level).toBe("error");
  });
});

describe("the environment", () => {
  test.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])("binds to %s", async (bind) => {
    expect((await loadText("", { KUROMAJUTSU_BIND: bind })).bind).toBe(bind);
  });

  test.each(["0.0.0.0", "::", "192.168.1.5"])(
    "refuses to bind to %s, which other machines can reach",
    async (bind) => {
      expect(await configErrorOf(loadText("", { KUROMAJUTSU_BIND: bind }))).toContain(
        `KUROMAJUTSU_BIND: found "${bind}"; expected a loopback address: on any other, everyone who can reach this machine could start agents`,
      );
      const behind = { KUROMAJUTSU_BIND: bind, KUROMAJUTSU_BEHIND_LOOPBACK: "1" };
      expect((await loadText("", behind)).bind).toBe(bind);
    },
  );

  test.each(["0.0.0.0", "192.168.1.5"])(
    "refuses server.bind %s of a file without people, and names the key",
    async (bind) => {
      expect(await configErrorOf(loadText(`server: {bind: "${bind}"}\n`))).toContain(
        `server.bind: found "${bind}"; expected a loopback address`,
      );
    },
  );

  test("the command line overrides KUROMAJUTSU_BIND, which overrides server.bind", async () => {
    const text = "server: {bind: 127.0.0.2}\n";
    const path = join(folder, "bind.yaml");
    writeFileSync(path, text);
    const load = (env: Record<string, string>, bind?: string) =>
      loadConfig({ path, explicit: true, env, bind });
    const env = { KUROMAJUTSU_BIND: "127.0.0.3" };

    expect((await load({})).bind).toBe("127.0.0.2");
    expect((await load(env)).bind).toBe("127.0.0.3");
    const named = await load(env, "127.0.0.4");
    expect(named.bind).toBe("127.0.0.4");
    expect(named.config.server).toEqual({ bind: "127.0.0.4", trustedProxies: [], labels: [] });
    expect(named.notes).toContain("server.bind is 127.0.0.4 by --bind.");
    expect(await configErrorOf(load(env, "0.0.0.0"))).toContain('--bind: found "0.0.0.0"');
  });

  test.each([
    ["KUROMAJUTSU_PORT", "abc", "a whole number from 0 to 65535"],
    ["KUROMAJUTSU_PORT", "65536", "a whole number from 0 to 65535"],
    ["KUROMAJUTSU_PORT", "-1", "a whole number from 0 to 65535"],
    ["KUROMAJUTSU_PORT", "0x10", "a whole number from 0 to 65535"],
    ["KUROMAJUTSU_PORT", " 80", "a whole number from 0 to 65535"],
    ["KUROMAJUTSU_LOG_LEVEL", "loud", "one of debug, info, warn, error"],
    ["KUROMAJUTSU_BIND", "example.com", "an IP address such as 127.0.0.1 or 0.0.0.0"],
    ["KUROMAJUTSU_BIND", "127.evil.example", "an IP address such as 127.0.0.1 or 0.0.0.0"],
    ["KUROMAJUTSU_BEHIND_LOOPBACK", "yes", "1 or 0"],
  ])("%s=%s is an error that names the variable", async (name, value, expected) => {
    expect(await configErrorOf(loadText("", { [name]: value }))).toBe(
      `The configuration has a problem:\n\n${name}: found ${JSON.stringify(value)}; expected ${expected}`,
    );
  });
});

describe("unreadable files", () => {
  test("an explicitly named file must exist", async () => {
    const path = join(folder, "nowhere", "9999.yaml");

    const error = await configErrorOf(loadConfig({ path, explicit: true, env: {} }));

    expect(error).toContain("FILE: not found. It was named with --config or KUROMAJUTSU_CONFIG");
  });

  test("the error for a directory says that it is a directory", async () => {
    const path = join(folder, "9977.yaml");
    mkdirSync(path);

    const error = await configErrorOf(loadConfig({ path, explicit: false, env: {} }));

    expect(error).toContain("FILE: is a directory; expected a YAML file");
  });

  test("a device is not read, because reading it might never end", async () => {
    const error = await configErrorOf(loadConfig({ path: "/dev/zero", explicit: true, env: {} }));

    expect(error).toContain("/dev/zero: is not a regular file");
  });

  test("the error for a file without read permission says so", () => {
    expect(describeReadError("a.yaml", "EACCES", undefined).en).toBe(
      "a.yaml: may not be read (permission denied). Give this user the right to read it.",
    );
    expect(describeReadError("a.yaml", "EIO", undefined).en).toBe("a.yaml: cannot be read (EIO).");
  });

  test.skipIf(process.getuid?.() === 0)(
    "the error for an unreadable file does not say that it is missing",
    async () => {
      const path = aConfigFile("");
      chmodSync(path, 0o000);

      expect(await configErrorOf(loadConfig({ path, explicit: true, env: {} }))).toContain(
        "denied",
      );
    },
  );

  test("a file of 10 MB is too large, and is not read", async () => {
    const error = await configErrorOf(loadText("#".repeat(10_000_000)));

    expect(error).toContain("FILE: has 10000000 bytes; a configuration file has at most 1048576");
  });

  test("the error for bytes that are not UTF-8 names their line", async () => {
    const bytes = Buffer.concat([Buffer.from("locale: ja\n# "), Buffer.from([0x83, 0x6e])]);

    expect(await configErrorOf(loadText(bytes))).toContain(
      "FILE:2: is not valid UTF-8 in this line",
    );
  });

  test("the error for UTF-16 says that it is UTF-16", async () => {
    expect(await configErrorOf(loadText(Buffer.from("\u{FEFF}locale: ja", "utf16le")))).toContain(
      "FILE: is UTF-16; expected UTF-8",
    );
  });

  test("problems of the environment are reported together with an unreadable file", async () => {
    const path = join(folder, "9998.yaml");

    const error = await configErrorOf(
      loadConfig({ path, explicit: true, env: { KUROMAJUTSU_PORT: "x" } }),
    );

    expect(error).toContain("The configuration has 2 problems:");
    expect(error).toContain("KUROMAJUTSU_PORT");
    expect(error).toContain("not found");
  });
});

describe("the example file", () => {
  const example = readFileSync(
    new URL("../../../kuromajutsu.config.example.yaml", import.meta.url),
    "utf8",
  );

  test("is valid", async () => {
    const loaded = await loadText(example);

    expect(loaded.config).toMatchObject({
      dashboard: { port: 9696 },
      agent: { maxConcurrent: 10 },
      log: { level: "info" },
    });
    expect(loaded.config.agent.defaultTimeout_ms).toBeUndefined();
  });

  test("its extensions are valid when they are uncommented", async () => {
    const start = example.indexOf("##");
    const text = example.slice(start).replaceAll(/^#(?!#) ?/gm, "");

    const loaded = await loadText(text);

    expect(loaded.roles.map(({ id }) => id)).toEqual([
      "impl-code",
      "code-review",
      "text-review",
      "research",
      "orchestrator",
      "release-notes",
    ]);
    expect(loaded.config.agent.env).toEqual(["HTTPS_PROXY"]);
    expect(loaded.config.prices.models["claude-4-sonnet"]).toEqual({
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite: 3.75,
    });
  });
});
