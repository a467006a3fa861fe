// Runs at the end of `npm ci`: builds dist/ with the Node that npm has just brought, and, in a
// checkout, installs the git hooks. Plain JavaScript without imports of ours: it may run on Node 20.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const build = spawnSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
if (build.status !== 0) process.exit(build.status ?? 1);

if (existsSync(".git") && !process.env["CI"]) {
  // Hooks are a convenience: never a reason for an install to fail.
  spawnSync("npx", ["lefthook", "install"], { stdio: "ignore" });
}
