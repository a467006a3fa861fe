import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";

/** End-to-end tests run the shipped code: `dist/` is rebuilt if a source file is newer. */
export function setup(): void {
  const built = statSync("dist/kuromajutsu.js", { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (newestSource() < built) return;
  // Old chunks stay: a daemon of another test run may be loading them.
  const made = spawnSync("npx", ["rolldown", "-c", "rolldown.config.js", "--no-cleanDir"], {
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`The build failed:\n${made.stdout}${made.stderr}`);
}

function newestSource(): number {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => `src/${path}`);
  return Math.max(...[...sources, "rolldown.config.js"].map((path) => statSync(path).mtimeMs));
}
