import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { loadConfig, type LoadConfig } from "./load-config.ts";
import { describeReadError } from "./read-config-file.ts";

const folder = mkdtempSync(join(tmpdir(), "kuromajutsu-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function aFile(content: string | Uint8Array): string {
  files += 1;
  const path = join(folder, `${files}.yaml`);
  writeFileSync(path, content);
  return path;
}

function load(content: string | Uint8Array, env: LoadConfig["env"] = {}) {
  return loadConfig({ path: aFile(content), explicit: true, env });
}

/** The printed error, with the file's changing name taken out. */
async function errorOf(loading: Promise<unknown>): Promise<string> {
  const error: unknown = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw new Error(`not a ConfigError: ${String(error)}`);
  return error.message.replaceAll(/\S*\/\d+\.yaml/g, "FILE");
}

describe("where settings come from", () => {
  test("without a file everything is the default, and it says so", async () => {
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

  test("without a file of the project, edits go to one in the data directory, which then counts", async () => {
    const dataDir = join(folder, "own-data");
    const where = { path: undefined, explicit: false, env: { KUROMAJUTSU_DATA_DIR: dataDir } };
    const file = join(dataDir, "kuromajutsu.config.yaml");
    expect(await loadConfig(where)).toMatchObject({ file, path: null, dataDir });

    mkdirSync(dataDir);
    writeFileSync(file, "agent: {maxConcurrent: 3}\n");
    const loaded = await loadConfig(where);

    expect(loaded.config.agent.maxConcurrent).toBe(3);
    // It is no project: nothing else follows from where it lies.
    expect(loaded).toMatchObject({ path: null, dataDir, notes: [`Configuration from ${file}.`] });
  });

  test("a file that vanished after it was found is no file", async () => {
    const path = join(folder, "vanished.yaml");

    const loaded = await loadConfig({ path, explicit: false, env: {} });

    expect(loaded.path).toBeNull();
  });

  test.each(["", "\n\n", "# nothing but a comment\n", "---\n", "\u{FEFF}"])(
    "an empty file (%j) is the defaults",
    async (content) => {
      const loaded = await load(content);

      expect(loaded.config.agent.maxConcurrent).toBe(10);
    },
  );

  test("the environment wins over the file, and the file over the defaults", async () => {
    const text = "dashboard: {port: 1111}\nlog: {level: warn}\nagent: {maxConcurrent: 3}\n";

    const loaded = await load(text, { KUROMAJUTSU_PORT: "0", KUROMAJUTSU_LOG_LEVEL: "debug" });

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
    const loaded = await load("dashboard: {port: 1111}\n", {
      KUROMAJUTSU_PORT: "",
      KUROMAJUTSU_LOG_LEVEL: "",
      KUROMAJUTSU_BIND: "",
      KUROMAJUTSU_BEHIND_LOOPBACK: "",
    });

    expect(loaded.config.dashboard.port).toBe(1111);
    expect(loaded.bind).toBe("127.0.0.1");
  });

  test("KUROMAJUTSU_DATA_DIR names the data directory", async () => {
    const loaded = await load("", { KUROMAJUTSU_DATA_DIR: join(folder, "data") });

    expect(loaded.dataDir).toBe(join(folder, "data"));
  });

  test("anchors, Windows line ends and a byte order mark are fine", async () => {
    const loaded = await load(
      "\u{FEFF}agent: &a\r\n  maxConcurrent: 2\r\nlog:\r\n  level: error\r\n",
    );

    expect(loaded.config.agent.maxConcurrent).toBe(2);
    expect(loaded.config.log.level).toBe("error");
  });
});

describe("the environment", () => {
  test.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])("binds to %s", async (bind) => {
    expect((await load("", { KUROMAJUTSU_BIND: bind })).bind).toBe(bind);
  });

  test.each(["0.0.0.0", "::", "192.168.1.5"])(
    "refuses to bind to %s for everyone",
    async (bind) => {
      expect(await errorOf(load("", { KUROMAJUTSU_BIND: bind }))).toContain(
        `KUROMAJUTSU_BIND: found "${bind}"; expected a loopback address: on any other, everyone who can reach this machine could start agents`,
      );
      const behind = { KUROMAJUTSU_BIND: bind, KUROMAJUTSU_BEHIND_LOOPBACK: "1" };
      expect((await load("", behind)).bind).toBe(bind);
    },
  );

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
  ])("%s=%s is an error that names it", async (name, value, expected) => {
    expect(await errorOf(load("", { [name]: value }))).toBe(
      `The configuration has a problem:\n\n${name}: found ${JSON.stringify(value)}; expected ${expected}`,
    );
  });
});

describe("files that cannot be read", () => {
  test("a file somebody named must exist", async () => {
    const path = join(folder, "nowhere", "9999.yaml");

    const error = await errorOf(loadConfig({ path, explicit: true, env: {} }));

    expect(error).toContain("FILE: not found. It was named with --config or KUROMAJUTSU_CONFIG");
  });

  test("a directory is called a directory", async () => {
    const path = join(folder, "9977.yaml");
    mkdirSync(path);

    const error = await errorOf(loadConfig({ path, explicit: false, env: {} }));

    expect(error).toContain("FILE: is a directory; expected a YAML file");
  });

  test("a device is not read: it might never end", async () => {
    const error = await errorOf(loadConfig({ path: "/dev/zero", explicit: true, env: {} }));

    expect(error).toContain("/dev/zero: is not a regular file");
  });

  test("a file without the right to read it says so", () => {
    expect(describeReadError("a.yaml", "EACCES", undefined)).toBe(
      "a.yaml: may not be read (permission denied). Give this user the right to read it.",
    );
    expect(describeReadError("a.yaml", "EIO", undefined)).toBe("a.yaml: cannot be read (EIO).");
  });

  test.skipIf(process.getuid?.() === 0)("an unreadable file is not called missing", async () => {
    const path = aFile("");
    chmodSync(path, 0o000);

    expect(await errorOf(loadConfig({ path, explicit: true, env: {} }))).toContain("denied");
  });

  test("a file of 10 MB is too large, and is not read", async () => {
    const error = await errorOf(load("#".repeat(10_000_000)));

    expect(error).toContain("FILE: has 10000000 bytes; a configuration file has at most 1048576");
  });

  test("bytes that are not UTF-8 are found by their line", async () => {
    const bytes = Buffer.concat([Buffer.from("locale: ja\n# "), Buffer.from([0x83, 0x6e])]);

    expect(await errorOf(load(bytes))).toContain("FILE:2: is not valid UTF-8 in this line");
  });

  test("UTF-16 is named", async () => {
    expect(await errorOf(load(Buffer.from("\u{FEFF}locale: ja", "utf16le")))).toContain(
      "FILE: is UTF-16; expected UTF-8",
    );
  });

  test("a bad environment is told together with an unreadable file", async () => {
    const path = join(folder, "9998.yaml");

    const error = await errorOf(
      loadConfig({ path, explicit: true, env: { KUROMAJUTSU_PORT: "x" } }),
    );

    expect(error).toContain("The configuration has 2 problems:");
    expect(error).toContain("KUROMAJUTSU_PORT");
    expect(error).toContain("not found");
  });
});

describe("broken YAML", () => {
  test.each([
    ["an open bracket", "log: [1\nlocale: ja\n", "FILE:2:1", "must be sufficiently indented"],
    ["an open quote", "locale: 'ja\n", "FILE:2:1", "Missing closing 'quote"],
    ["a tab", "log:\n\tlevel: info\n", "FILE:2:1", "a tab is used for indentation; use spaces"],
    ["a second colon", "log: level: info\n", "FILE:1:6", "Nested mappings are not allowed"],
    ["two documents", "locale: ja\n---\nlocale: en\n", "FILE:2:1", "expected one document"],
    ["a strange tag", "locale: !lang ja\n", "FILE:1:9", "Unresolved tag: !lang; remove the tag"],
    ["depth", `log: ${"[".repeat(5000)}${"]".repeat(5000)}`, "FILE:1", "nested too deeply"],
  ])("%s is a YAML syntax error with its line", async (_, text, place, problem) => {
    const error = await errorOf(load(text));

    expect(error).toContain("YAML syntax error: ");
    expect(error).toContain(problem);
    expect(error).toContain(place);
    expect(error).not.toContain("not found");
  });

  test.each([
    ["twice in a block", "locale: ja\nlog: {}\nlocale: en\n", 'FILE:3:1\n  the key "locale"'],
    ["twice in a flow map", "log: {level: info, level: info}", 'FILE:1:20\n  the key "level"'],
  ])("a key %s is refused", async (_, text, problem) => {
    expect(await errorOf(load(text))).toContain(`${problem} appears twice in the same map`);
  });

  test.each([
    ["no anchor", "log: *nope\n", "FILE:1:6\n  the alias *nope has no anchor before it"],
    ["itself inside", "log: &a {level: *a}\n", "FILE:1:17\n  the alias *a contains itself"],
    ["99 friends", `a: &a 1\nb: [${"*a,".repeat(101)}]`, "more than 100 aliases"],
    ["a bomb", bomb(), "FILE:9:42\n  aliases of aliases expand too far"],
  ])("an alias with %s is refused", async (_, text, problem) => {
    expect(await errorOf(load(text))).toContain(problem);
  });

  test("a megabyte of nonsense is answered soon, and with the first problems only", async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `key${index}: 1`);

    const error = await errorOf(load(lines.join("\n")));

    expect(error).toContain("The configuration has 60000 problems:");
    expect(error).toContain("… and 59980 more.");
  });
});

function bomb(): string {
  const levels = Array.from({ length: 8 }, (_, index) => {
    const below = Array.from({ length: 9 }, () => `*a${index}`).join(",");
    return `a${index + 1}: &a${index + 1} [${below}]`;
  });
  return ["a0: &a0 [x,x,x,x,x,x,x,x,x]", ...levels].join("\n");
}

describe("wrong settings", () => {
  test("every problem is told at once, in the order of the file, with its line and a caret", async () => {
    const text = `dashboard:
  prot: 9696
agent:
  maxConcurrent: many
roles:
  - id: research
    name: 調査員
    tools: [textlnt]
  - id: research
loacle: en
`;

    expect(await errorOf(load(text, { KUROMAJUTSU_PORT: "x" })))
      .toBe(`The configuration has 6 problems:

KUROMAJUTSU_PORT: found "x"; expected a whole number from 0 to 65535

FILE:2:3
  dashboard.prot: unknown key; did you mean "port"?
  2 |   prot: 9696
    |   ^

FILE:4:18
  agent.maxConcurrent: found the text "many"; expected a whole number from 1 to 1000
  4 |   maxConcurrent: many
    |                  ^

FILE:8:13
  roles[0].tools[0]: no role tool has the id "textlnt"; did you mean "textlint"?
  8 |     tools: [textlnt]
    |             ^

FILE:9:9
  roles[1].id: "research" is already the id of roles[0]; each id may appear once
  9 |   - id: research
    |         ^

FILE:10:1
  loacle: unknown key; did you mean "locale"?
  10 | loacle: en
     | ^`);
  });

  test.each([
    ["[1, 2]", "FILE:1:1\n  the file: found a list; expected a map of settings"],
    ["just words", 'the file: found the text "just words"; expected a map of settings'],
    [
      "dashboard: 9696",
      "dashboard: found the number 9696; expected a map with the keys port, hosts and origins",
    ],
    ["dashboard:\n  port:\n", "FILE:2:8\n  dashboard.port: found nothing; expected a whole number"],
    ["dashboard: {port: [1]}", "dashboard.port: found a list; expected a whole number"],
    ["dashboard: {port: {a: 1}}", "dashboard.port: found a map; expected a whole number"],
    ["dashboard: {port: true}", "dashboard.port: found true; expected a whole number"],
    ["dashboard: {port: .nan}", "dashboard.port: found the number NaN; expected a whole number"],
    [
      "agent: {max_concurrent: 2}",
      'agent.max_concurrent: unknown key; did you mean "maxConcurrent"?',
    ],
    ["agent: {defaultTimeoutMs: 2}", 'did you mean "defaultTimeout_ms"?'],
    [
      "agent: {quux: 2}",
      "unknown key; the keys here are runner, rehearseWithoutCli, maxConcurrent, maxQueued",
    ],
    [
      "slack: {}",
      "slack: unknown key; the keys here are locale, dashboard, agent, log, healthCheck, history, prices, tasks, interrupt, mcpServers, auth, roles, tools",
    ],
    [
      "prices: {models: {opus: {input: 1, output: 2, cached: 3}}}",
      "prices.models.opus.cached: unknown key; the keys here are input, output, cacheRead, cacheWrite",
    ],
    [
      "prices: {models: {opus: {input: 1, ouput: 2}}}",
      'prices.models.opus.ouput: unknown key; did you mean "output"?',
    ],
    ["__proto__: {a: 1}", "__proto__: unknown key"],
    ["log: {level: verbose}", 'found the text "verbose"; expected one of debug, info, warn, error'],
    [
      "agent: {runner: cursr}",
      "expected one of auto, cursor, claude, codex, gemini, opencode, rehearsal",
    ],
    [
      "roles: [{id: research, model: 4.1}]",
      'or a map from runner to model name (write it in quotes: "4.1")',
    ],
    [
      "roles: [{id: research, name: 12}]",
      'expected a text that is not empty (write it in quotes: "12")',
    ],
    [
      "roles: [{id: research, model: {cursr: x}}]",
      'roles[0].model.cursr: unknown key; did you mean "cursor"?',
    ],
    [
      "roles: [{id: research, model: {claude: 3}}]",
      "roles[0].model.claude: found the number 3; expected a model name",
    ],
    ["roles: [hello]", 'roles[0]: found the text "hello"; expected a map that describes one role'],
    [
      "roles: [{name: x}]",
      "FILE:1:9\n  roles[0].id: missing; expected an id of lower-case letters",
    ],
    [
      "roles: [{id: Bad_Id}]",
      "expected an id of lower-case letters, digits and hyphens, at most 40",
    ],
    [
      "roles: [{id: mine}]",
      '"mine" is not a built-in role, so it needs name, description, model, systemPrompt',
    ],
    ["roles: [{id: reserch, disabled: true}]", '(or did you mean the built-in role "research"?)'],
    ["roles: [{id: planer}]", '(or did you mean the built-in role "planner"?)'],
    ["roles: [{id: research, tools: [zzz]}]", 'no role tool has the id "zzz"; there are textlint'],
    ["tools: [{id: a}]", "tools[0].name: missing; expected a text that is not empty"],
    ["tools: [{id: a}, {id: a}]", 'tools[1].id: "a" is already the id of tools[0]'],
  ])("%s", async (text, problem) => {
    expect(await errorOf(load(text))).toContain(problem);
  });

  test("a problem inside an alias is shown where the value is written", async () => {
    const text = "roles:\n  - &r\n    id: research\n    nmae: x\n  - *r\n";

    const error = await errorOf(load(text));

    expect(error).toContain('FILE:4:5\n  roles[1].nmae: unknown key; did you mean "name"?');
  });

  test("the caret points at the place under Japanese text too", async () => {
    const error = await errorOf(load("roles: [{id: research, name: 調査員, acces: read-only}]\n"));

    expect(error).toContain(
      "  1 | roles: [{id: research, name: 調査員, acces: read-only}]\n" +
        "    |                                      ^",
    );
  });

  test("a very long line is cut around the place", async () => {
    const error = await errorOf(
      load(`{locale: ja, ${" ".repeat(5000)}acces: 1, x: ${"y".repeat(5000)}}`),
    );

    expect(error.split("\n").every((line) => line.length < 200)).toBe(true);
    expect(error).toContain("acces: 1, x: yyy");
  });

  test("a file cannot send control sequences to the terminal", async () => {
    const error = await errorOf(load('"\\e[31mred\\x9b": 1\n"a\u{9B}b": "\\x9b"\n'));

    // oxlint-disable-next-line no-control-regex
    expect(error).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
  });
});

describe("the example file", () => {
  const example = readFileSync(
    new URL("../../../kuromajutsu.config.example.yaml", import.meta.url),
    "utf8",
  );

  test("is valid", async () => {
    const loaded = await load(example);

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

    const loaded = await load(text);

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
