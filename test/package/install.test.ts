import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { until } from "../kit/daemon.ts";
import { aTempDir } from "../kit/tmp-dir.ts";
import { aNodePackage, aRegistry, pack, USER_PATH } from "./registry.ts";

const manifestShape = z.looseObject({
  version: z.string(),
  optionalDependencies: z.record(z.string(), z.string()),
});
const manifest = manifestShape.parse(JSON.parse(readFileSync("package.json", "utf8")));

/** An empty folder and an empty home of a user whose npm finds the packed package. */
async function anEmptyFolder() {
  const dir = aTempDir();
  for (const name of ["project", "home", "packed", "node"]) mkdirSync(join(dir, name));
  const name = `node-${process.platform}-${process.arch}`;
  const node = aNodePackage(join(dir, "node"), manifest.optionalDependencies[name] ?? "24.0.0");
  const packed = join(dir, "packed");
  const registry = await aRegistry({
    kuromajutsu: { manifest, tarball: pack(".", packed) },
    [name]: { manifest: node, tarball: pack(join(dir, "node"), packed) },
  });
  const env = {
    PATH: USER_PATH,
    HOME: join(dir, "home"),
    LANG: "en_US.UTF-8",
    npm_config_registry: registry,
    npm_config_update_notifier: "false",
    KUROMAJUTSU_DATA_DIR: join(dir, "data"),
  };
  return { cwd: join(dir, "project"), env };
}

test("npx kuromajutsu in an empty folder installs the packed package without a warning and serves the page", async () => {
  const options = await anEmptyFolder();

  // spawnSync would keep the registry, which is in this process, from answering.
  const version = await run("npx", ["--yes", "kuromajutsu", "--version"], options);

  expect(version).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  // The driver of PostgreSQL is part of the package; nothing listens on port 1.
  const refused = await run("npx", ["--yes", "--offline", "kuromajutsu", "migrate"], {
    ...options,
    env: { ...options.env, KUROMAJUTSU_DATABASE_URL: "postgres://kuro@127.0.0.1:1/kuro" },
  });
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("PostgreSQL does not answer");
  const served = spawn("npx", ["--yes", "kuromajutsu", "serve", "--port", "0"], options);
  let said = "";
  served.stderr.on("data", (chunk) => (said += String(chunk)));
  const ended = new Promise<void>((resolve) => served.once("exit", () => resolve()));
  try {
    // The last line of the banner, which follows the log of the start.
    await until(() => said.includes("Ctrl-C"));
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    const page = await (await fetch(url)).text();
    expect(page).toMatch(/<title>黒魔術/);
    expect(said).toContain("npx kuromajutsu init");
  } finally {
    spawnSync("npx", ["--yes", "--offline", "kuromajutsu", "stop"], options);
    await ended;
  }
  await playsDemo(options);
});

test("the packed package has the program, the texts that belong to it, and nothing else", () => {
  const args = ["pack", "--json", "--dry-run", "--ignore-scripts"];
  const [packed] = JSON.parse(execFileSync("npm", args, { encoding: "utf8" }));
  const files = z
    .array(z.object({ path: z.string() }))
    .parse(packed.files)
    .map(({ path }) => path);

  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "README.ja.md"]));
  expect(files).toContain("dist/web/index.html");
  const others = files.filter((path) => !/^(?:bin|dist|templates|examples\/hr\/data)\//.test(path));
  expect(others.toSorted()).toEqual(
    [
      "CHANGELOG.md",
      "LICENSE",
      "README.ja.md",
      "README.md",
      "examples/hr/README.md",
      "package.json",
    ].toSorted(),
  );
  expect(files.filter((path) => /\.(?:ts|tsx|map)$|node_modules/.test(path))).toEqual([]);
});

/** A demo of the installed package, without a browser, leaves nothing in the home and in TMPDIR. */
async function playsDemo({ cwd, env }: Awaited<ReturnType<typeof anEmptyFolder>>): Promise<void> {
  const tmp = aTempDir();
  const { KUROMAJUTSU_DATA_DIR: _, ...plain } = env;
  const before = readdirSync(env.HOME);
  const args = ["--yes", "--offline", "kuromajutsu", "demo", "hr", "--no-open"];
  const demo = spawn("npx", args, { cwd, env: { ...plain, TMPDIR: tmp }, detached: true });
  let said = "";
  demo.stderr.on("data", (chunk) => (said += String(chunk)));
  const code = new Promise<number | null>((resolve) => demo.once("close", resolve));
  await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(said));
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
  expect(await (await fetch(url)).text()).toMatch(/<title>黒魔術/);
  // As Ctrl-C in a terminal: npx and the program that it has started.
  process.kill(-(demo.pid ?? 0), "SIGINT");
  await code;
  expect(said).toContain("Nothing was left behind.");
  expect(readdirSync(env.HOME)).toEqual(before);
  expect(readdirSync(tmp)).toEqual([]);
}

type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Ran> {
  const child = spawn(program, args, options);
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (said.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (said.stderr += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, ...said };
}
