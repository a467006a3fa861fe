// Runs at the end of `npm ci`: builds dist/ with the Node that npm has just installed, and, in a
// checkout, installs the git hooks. Plain JavaScript without our own imports: it may run on Node 20.
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";

const NEEDED = 24;

// The first `npx kuromajutsu` in a checkout installs the checkout as a link and runs this script. To
// build again would take the files of dist/ away from a daemon that runs from here.
if (process.env["npm_command"] === "exec" && existsSync("dist/kuromajutsu.js")) process.exit(0);

// The scripts of npm find the Node of node_modules first.
const { stdout } = spawnSync("npm", ["exec", "--", "node", "--version"], { encoding: "utf8" });
const version = stdout?.trim() ?? "";
if (Number.parseInt(version.slice(1), 10) < NEEDED) {
  console.error(
    `Kuromajutsu is built with Node ${NEEDED} or newer; this is ${version}, and for ${process.platform} on ${process.arch} npm brings none. Install Node ${NEEDED}, then run \`npm ci\` again.`,
  );
  process.exit(1);
}

const build = spawnSync("npm", ["run", "--silent", "build"], { encoding: "utf8" });
if (build.status !== 0) {
  // Only then: the bundler reports the size of 150 files.
  console.error(`The build failed:\n${build.stdout}${build.stderr}`);
  process.exit(build.status ?? 1);
}

// npx finds the program here at once; else it first installs the checkout into its own cache (7 s).
const LINK = "node_modules/.bin/kuromajutsu";
if (existsSync("node_modules/.bin") && !existsSync(LINK)) {
  symlinkSync("../../bin/kuromajutsu.js", LINK);
}

if (existsSync(".git") && !process.env["CI"]) {
  // Hooks are optional: an install must not fail because of them.
  spawnSync("npx", ["lefthook", "install"], { stdio: "ignore" });
}
