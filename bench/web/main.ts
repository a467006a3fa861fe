/** `npm run bench:web`: runs all benchmarks or the named ones; `--json` prints every sample. */
import { parseArgs } from "node:util";
import { machineFacts } from "../kit/report.ts";
import { median } from "../kit/stats.ts";
import { firstLoad } from "./first-load.ts";
import { fleet } from "./fleet.ts";
import { setUp, type WebBench, type WebFigure } from "./kit.ts";
import { longDiff } from "./long-diff.ts";
import { transcript } from "./transcript.ts";

const BENCHES: Readonly<Record<string, WebBench>> = {
  diff: longDiff,
  "first-load": firstLoad,
  fleet,
  transcript,
};

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean" } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const unknown = names.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(", ")}.\n`);
  process.stderr.write(`There are: ${Object.keys(BENCHES).join(", ")}.\n`);
  process.exit(1);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const before = machineFacts();
const figures: WebFigure[] = [];
const broken: string[] = [];
const ends = new AsyncDisposableStack();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void ends.disposeAsync().then(() => process.exit(1)));
}
try {
  const web = await setUp(ends, say);
  for (const name of names) {
    try {
      figures.push(...((await BENCHES[name]?.(web)) ?? []));
    } catch (error) {
      const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
      say(`${name} broke. ${why}`);
      broken.push(name);
    }
  }
} finally {
  await ends.disposeAsync();
}
print();
process.exit(broken.length > 0 ? 1 : 0);

function print(): void {
  const after = machineFacts();
  if (values.json) {
    const machine = { ...before, loadAfter: after.load };
    process.stdout.write(`${JSON.stringify({ machine, figures, broken }, null, 2)}\n`);
    return;
  }
  const rows = [["name", "product", "floor", "goal", "verdict"], ...figures.map(rowOf)];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    process.stdout.write(`${cells.join(" | ").trimEnd()}\n`);
  }
  process.stdout.write(
    `\n${before.cores} cores (${before.cpu}), load ${before.load} before and ${after.load} after, Node ${before.node}\n`,
  );
  if (broken.length > 0) process.stdout.write(`Broken: ${broken.join(", ")}\n`);
}

function rowOf({ name, unit, product, floor, goal }: WebFigure): string[] {
  const ours = median(product);
  const bare = floor.length > 0 ? median(floor) : Number.NaN;
  return [
    name,
    `${ours.toFixed(1)} ${unit}`,
    floor.length > 0 ? `${bare.toFixed(1)} ${unit}` : "-",
    `${goal.text} ${unit}`,
    goal.isMet(ours, bare) ? "ok" : "over",
  ];
}
