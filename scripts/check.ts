/**
 * `npm run check`: everything that CI checks. Tests wait for processes a third of their time, so the
 * checks of the source run beside them, one after the other and with a lower priority. The browser tests
 * come last: a page that is short of CPU is too slow for them.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";

type Check = readonly [script: string, ...options: readonly string[]];
type Outcome = { readonly name: string; readonly seconds: number; readonly passed: boolean };

const OF_SOURCE: readonly Check[] = [
  ["format:check"],
  ["lint"],
  ["types"],
  ["unused"],
  ["package"],
];
const TESTS: readonly Check[] = [["test:all"], ["test:web", "--", "--quick"]];

const [ofSource, ofTests] = await Promise.all([
  oneByOne(OF_SOURCE, runQuietly),
  oneByOne(TESTS, runShown),
]);
const outcomes = [...ofSource, ...ofTests];
process.stdout.write(`\n${outcomes.map(toLine).join("\n")}\n`);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;

async function oneByOne(
  checks: readonly Check[],
  run: (check: Check) => Promise<boolean>,
): Promise<readonly Outcome[]> {
  const ended: Outcome[] = [];
  for (const check of checks) {
    const begun = performance.now();
    const passed = await run(check);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    ended.push({ name: check[0], seconds, passed });
  }
  return ended;
}

/** The output of the tests is shown meanwhile, so this one is shown as a whole, and only if it failed. */
async function runQuietly(check: Check): Promise<boolean> {
  const child = spawn("npm", ["run", ...check], { stdio: ["ignore", "pipe", "pipe"] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const [code] = await once(child, "close");
  if (code !== 0) process.stdout.write(`\n${check[0]} failed:\n${output}\n`);
  return code === 0;
}

async function runShown(check: Check): Promise<boolean> {
  const child = spawn("npm", ["run", ...check], { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "close");
  return code === 0;
}

function toLine({ name, seconds, passed }: Outcome): string {
  return `${passed ? "passed" : "FAILED"}  ${name}  ${seconds} s`;
}
