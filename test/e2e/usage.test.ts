import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { COMMANDS } from "../../src/doors/cli/commands.ts";
import { runCli } from "../../src/doors/cli/run-cli.ts";
import { createCli } from "../../src/main/cli/create-cli.ts";
import { VERSION } from "../../src/main/version.ts";
import { aPlace, BIN, command, type Place } from "../kit/daemon.ts";

const LOCALES = ["ja", "en"] as const;
type Locale = (typeof LOCALES)[number];

const LANG = { ja: "ja_JP.UTF-8", en: "en_US.UTF-8" };

/** Without a configuration file the variables of the terminal decide the language. */
function aPlaceIn(locale: Locale): Place {
  return aPlace({ LANG: LANG[locale] });
}

type Asked = typeof command;

/**
 * The same command without a process of its own, which takes a tenth of a second of CPU. Its
 * language is that of the place; the tests that start processes show how a process finds it.
 */
const askedHere: Asked = async ({ env }, args) => {
  const said = { stdout: "", stderr: "" };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  // The listener of a closed pipe belongs to a process that ends with its command.
  vi.spyOn(process.stdout, "on").mockReturnThis();
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      said[name] += String(chunk);
      return true;
    });
  }
  try {
    const locale = async () => (env["LANG"] === LANG.ja ? "ja" : "en");
    const cli = { ...createCli(), command: "npx kuromajutsu", locale };
    return { code: await runCli(args, cli), ...said };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
};

test("the language of the configuration is stronger than that of the terminal", async () => {
  const place = aPlaceIn("ja");
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), "locale: en\n");

  const { stdout } = await command(place, ["--help"]);

  expect(stdout).toContain("Usage:");
});

test.each([[["--version"]], [["-v"]], [["version"]], [["status", "--version"]]])(
  "%j prints the version",
  async (args) => {
    expect(await command(aPlace(), args)).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
  },
);

test.each(LOCALES)("the help lists every command, in the language %s", async (locale) => {
  const place = aPlaceIn(locale);

  const { code, stdout, stderr } = await command(place, ["--help"]);

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const { name } of COMMANDS) {
    expect(stdout).toMatch(new RegExp(`^ {2}${name.split(" ")[0]}\\b`, "m"));
  }
  for (const { summary } of COMMANDS.filter(({ name }) => !name.includes(" "))) {
    expect(unwrapped(stdout)).toContain(summary[locale]);
  }
  expect((await command(place, ["help"])).stdout).toBe(stdout);
  expect(existsSync(place.dataDir), "a daemon was started").toBe(false);
});

const SPAWNED_COMMANDS = COMMANDS.filter(({ name }) => ["tasks", "user add"].includes(name));

test.each([
  ...COMMANDS.map((of) => ({ ...of, how: "here", ask: askedHere })),
  ...SPAWNED_COMMANDS.map((of) => ({ ...of, how: "in a process", ask: command })),
])("`$name` explains itself in both languages ($how)", async ({ name, ask, ...of }) => {
  const words = name.split(" ");
  for (const locale of LOCALES) {
    const place = aPlaceIn(locale);

    const { code, stdout } = await ask(place, [...words, "--help"]);

    expect(code).toBe(0);
    expect(stdout).toContain(`kuromajutsu ${name}`);
    expect(unwrapped(stdout)).toContain(of.summary[locale]);
    for (const example of of.examples) expect(stdout).toContain(example);
    for (const other of LOCALES.filter((each) => each !== locale)) {
      expect(unwrapped(stdout)).not.toContain(of.summary[other]);
    }
    expect((await ask(place, ["help", ...words])).stdout).toBe(stdout);
  }
});

const REFUSED = [
  ["en", ["frobnicate"], 'There is no command "frobnicate".'],
  ["ja", ["frobnicate"], "「frobnicate」というコマンドはありません。"],
  ["en", ["taks"], "Did you mean tasks?"],
  ["ja", ["taks"], "もしかして: tasks"],
  ["en", ["help", "taks"], "Did you mean tasks?"],
  ["en", ["taks", "--help"], "Did you mean tasks?"],
  ["en", ["user", "ad"], 'There is no command "user ad".\nDid you mean add?'],
  ["en", ["serve", "--prot", "1"], "There is no option --prot.\nDid you mean --port?"],
  ["ja", ["serve", "--prot", "1"], "--prot というオプションはありません。\nもしかして: --port"],
  ["en", ["status", "--detach"], "There is no option --detach."],
  ["en", ["mcp", "--port", "1"], "There is no option --port."],
  ["en", ["run"], "The argument <text> is missing.\n  npx kuromajutsu run <text> [options]"],
  ["ja", ["run"], "引数 <text> がありません。\n  npx kuromajutsu run <text> [options]"],
  ["en", ["user"], "kuromajutsu user needs one of its commands."],
  ["ja", ["user"], "kuromajutsu user の後にコマンドが必要です。"],
  ["en", ["serve", "--port"], "--port <N> needs a value."],
  ["ja", ["serve", "--port"], "--port <N> には値が必要です。"],
  [
    "en",
    ["serve", "--port", "banana"],
    '--port: found "banana"; expected a number from 0 to 65535.',
  ],
  ["en", ["serve", "--port", "65536"], "expected a number from 0 to 65535."],
  ["ja", ["serve", "--port", "banana"], "--port に「banana」は指定できません。"],
  ["en", ["user", "add", "aoi", "--role", "king"], "expected one of viewer, operator, admin."],
  ["ja", ["user", "add", "aoi", "--role", "king"], "viewer, operator, admin のいずれか"],
  ["en", ["tasks", "task-1", "blok"], "Did you mean block?"],
  ["ja", ["tasks", "task-1", "blok"], "もしかして: block"],
  ["en", ["tasks", "--status", "done"], "one or several of analyzing, planning,"],
  ["ja", ["tasks", "--status", "done"], "の 1 つ以上（コンマ区切り）を指定してください。"],
  ["en", ["logs", "--lines", "many"], "expected a number from 1 to 100000."],
  ["en", ["completion", "tcsh"], "expected one of bash, zsh, fish."],
  ["en", ["status", "now", "please"], "Unexpected: now please."],
  ["ja", ["status", "now", "please"], "余分な引数があります: now please"],
] as const;

const SPAWNED_ROWS = REFUSED.filter(
  ([, [first, second]]) => first === "frobnicate" || second === "--prot",
);

test.for([
  ...REFUSED.map((row) => [...row, "here", askedHere] as const),
  ...SPAWNED_ROWS.map((row) => [...row, "in a process", command] as const),
])("in %s, %j is refused with exit code 2: %s (%s)", async ([locale, args, said, , ask]) => {
  const place = aPlaceIn(locale);

  const { code, stdout, stderr } = await ask(place, args);

  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(said);
  expect(stderr).toMatch(/`npx kuromajutsu[a-z ]* --help`/);
  expect(existsSync(place.dataDir), "a daemon was started").toBe(false);
});

test("`mcp` and the daemon that it starts do not load the CLI framework", () => {
  const dist = new URL("../../dist/", import.meta.url);
  const read = (file: string) => readFileSync(new URL(file, dist), "utf8");
  const loadsFramework = (file: string, seen = new Set<string>()): boolean => {
    seen.add(file);
    const text = read(file);
    const imported = [...text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(
      ([, name = ""]) => name,
    );
    return (
      text.includes("commander.unknownOption") ||
      imported.some((name) => !seen.has(name) && loadsFramework(name, seen))
    );
  };
  const chunk = (name: string) =>
    new RegExp(`${name}-[\\w-]+\\.js`).exec(read("kuromajutsu.js"))?.[0] ?? "";

  expect(loadsFramework(chunk("run-cli"))).toBe(true);
  expect(loadsFramework("kuromajutsu.js")).toBe(false);
  expect(loadsFramework(chunk("shim"))).toBe(false);
  expect(loadsFramework(chunk("run-daemon"))).toBe(false);
});

test("options may stand before the command", async () => {
  const place = aPlace();

  expect(await command(place, ["--json", "status"])).toMatchObject({ code: 3, stdout: "null\n" });
  expect(await command(place, ["user", "--json", "list"])).toMatchObject({
    code: 0,
    stdout: "[]\n",
  });
});

test("--config names the configuration file, whose language the help has", async () => {
  const place = aPlace();
  const config = join(place.dir, "other.yaml");
  writeFileSync(config, "locale: en\n");

  const { stdout } = await command(place, ["--config", config, "status", "--help"]);

  expect(stdout).toContain("Usage: npx kuromajutsu status");
});

test("a wrong configuration does not keep the help from being shown", async () => {
  const place = aPlace();
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), "agent: [broken\n");

  expect(await command(place, ["--help"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("使い方: npx kuromajutsu"),
  });
});

test("a pipe that is closed early ends the command without an error message", () => {
  const { env, dir: cwd } = aPlace();
  const line = `"${process.execPath}" "${BIN}" --help | head -1`;

  const { stderr, stdout } = spawnSync("/bin/sh", ["-c", line], { cwd, env, encoding: "utf8" });

  expect({ stderr, stdout }).toMatchObject({
    stderr: "",
    stdout: expect.stringContaining("使い方"),
  });
});

/** Long lines of the help are wrapped. */
function unwrapped(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
