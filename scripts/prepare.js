// Runs at the end of `npm ci`: builds dist/ with the Node that npm has just installed, and, in a
// checkout, installs the git hooks. Plain JavaScript without our own imports: it may run on Node 20.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const build = spawnSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
if (build.status !== 0) process.exit(build.status ?? 1);

if (existsSync(".git") && !process.env["CI"]) {
  // Hooks are optional: an install must not fail because of them.
  spawnSync("npx", ["lefthook", "install"], { stdio: "ignore" });
}
