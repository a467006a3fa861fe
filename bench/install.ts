import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench, Context } from "./kit/bench.ts";
import { timed, until } from "./kit/stats.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const ROUNDS = 3;
const KB = 1_024;
/** What a checkout had before the libraries were bundled. */
const MAX_CHECKOUT_KB = 855 * KB;
const PLATFORM_NODE = `node-${process.platform}-${process.arch}`;

/**
 * What a new user waits for: the packed package, its installation with npm in an empty folder, and the
 * time from the start to the first page. And what a contributor waits for: `npm ci`. Needs a registry.
 * The floor of an installation is the platform's Node alone.
 */
export const install: Bench = async (context) => {
  const dir = mkdtempSync(join(context.product.dir, "install-"));
  context.say("npm pack");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "ignore" });
  const packed = pack(dir);
  const times: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    context.say(`installation ${round + 1} of ${ROUNDS}`);
    times.push(await npmInstall(dir, "product", packed));
    bare.push(await npmInstall(dir, "bare", `${PLATFORM_NODE}@${nodeVersion()}`));
  }
  const installed = join(dir, "product", "node_modules");
  const pages: number[] = [];
  for (let round = 0; round < ROUNDS; round++) pages.push(await toFirstPage(context, dir, round));
  const checkout = await measureCheckout(context, dir);
  return [
    {
      name: "packed package",
      unit: "KB",
      product: [sizeOf(packed)],
      floor: [],
      goal: atMost(4 * KB),
    },
    {
      name: "unpacked package",
      unit: "KB",
      product: [diskUse(join(installed, "kuromajutsu"))],
      floor: [],
      goal: atMost(12 * KB),
    },
    {
      name: "installation on disk",
      unit: "KB",
      product: [diskUse(installed)],
      floor: [diskUse(join(dir, "bare", "node_modules"))],
      goal: { timesFloor: 1.1 },
    },
    { name: "npm install", unit: "ms", product: times, floor: bare, goal: { timesFloor: 1.5 } },
    { name: "start to first page", unit: "ms", product: pages, floor: [], goal: atMost(3_000) },
    {
      name: "npm ci of a checkout",
      unit: "ms",
      product: [checkout.ms],
      floor: [],
      goal: atMost(120_000),
    },
    {
      name: "node_modules of a checkout",
      unit: "KB",
      product: [checkout.kb],
      floor: [],
      goal: atMost(MAX_CHECKOUT_KB),
    },
  ];
};

const atMost = (limit: number) => ({ atMost: limit });

function pack(into: string): string {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", into];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: ROOT, encoding: "utf8" }));
  return join(into, String(packed.filename));
}

function nodeVersion(): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return String(manifest.optionalDependencies[PLATFORM_NODE]);
}

/** With the user's Node and an empty npm cache; only the settings of npm are those of this user. */
function userEnvironment(home: string): Record<string, string> {
  const path = (process.env["PATH"] ?? "").split(delimiter);
  return {
    PATH: path.filter((folder) => !folder.includes("node_modules")).join(delimiter),
    HOME: home,
    LANG: "en_US.UTF-8",
    npm_config_cache: join(home, ".npm"),
    npm_config_userconfig: join(homedir(), ".npmrc"),
  };
}

async function npmInstall(dir: string, name: string, what: string): Promise<number> {
  const cwd = join(dir, name);
  const home = join(dir, `${name}-home`);
  for (const folder of [cwd, home]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  const options = { cwd, env: userEnvironment(home), encoding: "utf8" } as const;
  return timed(async () => {
    const ran = spawnSync("npm", ["install", "--no-save", what], options);
    if (ran.status !== 0) throw new Error(`npm install ${what} failed:\n${ran.stderr}`);
  });
}

/** From the start of the installed program to the whole first page. */
async function toFirstPage({ ends }: Context, dir: string, round: number): Promise<number> {
  const cwd = join(dir, "product");
  const env = {
    ...userEnvironment(join(dir, "product-home")),
    KUROMAJUTSU_DATA_DIR: join(dir, `data-${round}`),
  };
  return timed(async () => {
    const child = spawn(join(cwd, "node_modules/.bin/kuromajutsu"), ["serve", "--port", "0"], {
      cwd,
      env,
    });
    ends.defer(() => void child.kill("SIGTERM"));
    let said = "";
    child.stderr.on("data", (chunk) => (said += String(chunk)));
    await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(said), "the address");
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    await (await fetch(url)).text();
    child.kill("SIGTERM");
  });
}

async function measureCheckout(context: Context, dir: string) {
  const cwd = join(dir, "checkout");
  const home = join(dir, "checkout-home");
  for (const folder of [cwd, home]) mkdirSync(folder);
  for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
    cpSync(join(ROOT, file), join(cwd, file));
  }
  context.say("npm ci");
  const options = { cwd, env: userEnvironment(home), encoding: "utf8" } as const;
  const ms = await timed(async () => {
    const ran = spawnSync("npm", ["ci", "--ignore-scripts"], options);
    if (ran.status !== 0) throw new Error(`npm ci failed:\n${ran.stderr}`);
  });
  return { ms, kb: diskUse(join(cwd, "node_modules")) };
}

const sizeOf = (file: string): number => statSync(file).size / KB;

function diskUse(folder: string): number {
  return Number.parseInt(execFileSync("du", ["-sk", folder], { encoding: "utf8" }), 10);
}
