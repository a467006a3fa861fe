import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, matchesGlob, relative } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { parseDockerfile, parseEnv, type Instruction } from "./parse-dockerfile.ts";

const ROOT = join(import.meta.dirname, "../..");
const argv = z.array(z.string()).min(1);
const INSTALL = "npm ci --ignore-scripts && chmod a+w node_modules";

export type Played = {
  readonly from: string;
  readonly user: string;
  readonly exposed: string;
  /** The current WORKDIR, inside the folder that stands for the image's root. */
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  /** Packages that root would install with apt-get. */
  readonly packages: readonly string[];
};

/**
 * Imitates `docker build` in a folder that stands for the image's root: the same copies, the same
 * commands. Commands of root are not carried out; only two of them are known. Without `installs`,
 * `npm ci` is not carried out either: the packages of this checkout are used.
 */
export async function playDockerfile(image: string, installs: boolean): Promise<Played> {
  const env: Record<string, string> = {};
  const packages: string[] = [];
  let from = "";
  let user = "root";
  let exposed = "";
  let cwd = image;
  let command: readonly string[] = [];
  let healthcheck: readonly string[] = [];

  async function play({ name, rest }: Instruction): Promise<void> {
    if (name === "FROM") from = rest;
    else if (name === "USER") user = rest;
    else if (name === "EXPOSE") exposed = rest;
    else if (name === "WORKDIR") cwd = inside(image, rest);
    else if (name === "ENV")
      for (const [key, value] of parseEnv(rest)) env[key] = inside(image, value);
    else if (name === "CMD") command = argv.parse(JSON.parse(rest));
    else if (name === "HEALTHCHECK")
      healthcheck = argv.parse(JSON.parse(rest.replace(/^.*?CMD /, "")));
    else if (name === "COPY") copy(rest, cwd);
    else if (user === "root") packages.push(...asRoot(image, rest));
    else if (rest === INSTALL && !installs) {
      symlinkSync(join(ROOT, "node_modules"), join(cwd, "node_modules"));
    } else await run(rest, cwd);
  }
  for (const instruction of readInstructions()) await play(instruction);
  return { from, user, exposed, cwd, env, command, healthcheck, packages };
}

/** The environment of a process in the image, as far as this machine allows. */
export function baseEnvironment(): Record<string, string> {
  const path = [dirname(process.execPath), ...(process.env["PATH"] ?? "").split(delimiter)];
  const kept = ["HOME", "NODE_EXTRA_CA_CERTS", "HTTPS_PROXY", "https_proxy", "npm_config_registry"];
  return {
    ...Object.fromEntries(kept.flatMap((name) => entryOf(name))),
    // npm puts our own tools on PATH; the clean folder must use its own.
    PATH: path.filter((folder, at) => at === 0 || !folder.includes("node_modules")).join(delimiter),
  };
}

function entryOf(name: string): [string, string][] {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
}

function readInstructions(): Instruction[] {
  return parseDockerfile(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
}

function inside(image: string, path: string): string {
  return path.startsWith("/") ? join(image, path) : path;
}

function asRoot(image: string, line: string): string[] {
  const [, folders] = /^install -d -o node -g node ((?:\/\S+ ?)+)$/.exec(line) ?? [];
  if (folders) {
    for (const folder of folders.split(" ")) mkdirSync(inside(image, folder), { recursive: true });
    return [];
  }
  const [, packages] = /^apt-get update && apt-get install (-.*) && rm -rf \S+$/.exec(line) ?? [];
  if (packages) return packages.split(" ").filter((word) => !word.startsWith("-"));
  throw new Error(`Root does something this test does not know: RUN ${line}`);
}

async function run(line: string, cwd: string): Promise<void> {
  const env = { ...baseEnvironment(), npm_config_prefer_offline: "true" };
  await promisify(execFile)("/bin/sh", ["-c", line], { cwd, env });
}

function copy(rest: string, cwd: string): void {
  const words = rest.split(/\s+/);
  const paths = words.filter((word) => !word.startsWith("--"));
  const to = join(cwd, paths.pop() ?? "");
  if (!words.includes("--chown=node:node")) throw new Error(`COPY ${rest} would give it to root`);
  for (const path of paths) {
    const target = path === "." ? to : join(to, path);
    const filter = (source: string) => isInContext(relative(ROOT, source));
    cpSync(join(ROOT, path), target, { recursive: true, filter });
  }
}

/** The rules of .dockerignore, without exceptions (`!`): matched files and folders are not sent. */
export function isInContext(path: string): boolean {
  return !ignored().some((pattern) => path !== "" && matchesGlob(path, pattern));
}

function ignored(): string[] {
  const lines = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
  const patterns = lines.filter((line) => !/^\s*(#.*)?$/.test(line));
  if (patterns.some((pattern) => pattern.startsWith("!"))) throw new Error("`!` is not understood");
  return patterns;
}
