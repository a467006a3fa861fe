import { parseArgs } from "node:util";
import { agents } from "./agents.ts";
import { approvals } from "./approvals.ts";
import { coldStart } from "./cold-start.ts";
import { context } from "./context.ts";
import { dashboards } from "./dashboards.ts";
import { gateway } from "./gateway.ts";
import { growth } from "./growth.ts";
import { history } from "./history.ts";
import { idleMemory } from "./idle-memory.ts";
import { install } from "./install.ts";
import { interrupt } from "./interrupt.ts";
import type { Bench, Figure } from "./kit/bench.ts";
import { diskFacts, type DiskFacts } from "./kit/disk.ts";
import { endLeftovers } from "./kit/proc.ts";
import { buildProduct, type Product } from "./kit/product.ts";
import { lineOf, machineFacts, renderTable } from "./kit/report.ts";
import { memory } from "./memory.ts";
import { reports } from "./reports.ts";
import { scaleDashboards } from "./scale-dashboards.ts";
import { scale } from "./scale.ts";
import { stages } from "./stages.ts";
import { stream } from "./stream.ts";
import { stuckDashboard } from "./stuck-dashboard.ts";
import { tinyAgents } from "./tiny-agents.ts";
import { worktrees } from "./worktrees.ts";

const BENCHES: Readonly<Record<string, Bench>> = {
  "cold-start": coldStart,
  agents,
  "tiny-agents": tinyAgents,
  stream,
  reports,
  memory,
  "idle-memory": idleMemory,
  growth,
  history,
  approvals,
  stages,
  dashboards,
  "stuck-dashboard": stuckDashboard,
  gateway,
  interrupt,
  context,
  worktrees,
  install,
  scale,
  "scale-dashboards": scaleDashboards,
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

let current: AsyncDisposableStack | undefined;
const whole = new DisposableStack();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());

const before = machineFacts();
let disk: DiskFacts | undefined;
const figures: Figure[] = [];
const broken: string[] = [];
try {
  const product = buildProduct(whole);
  disk = diskFacts(product.dir);
  for (const name of names) await runOne(name, product);
} finally {
  whole.dispose();
}
print();
process.exit(broken.length > 0 ? 1 : 0);

async function runOne(name: string, product: Product): Promise<void> {
  const ends = new AsyncDisposableStack();
  current = ends;
  const say = (text: string): void => void process.stderr.write(`${name}: ${text}\n`);
  try {
    figures.push(...((await BENCHES[name]?.({ product, ends, say })) ?? []));
  } catch (error) {
    say(`broke. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    broken.push(name);
  } finally {
    await ends.disposeAsync();
    endLeftovers(product.dir);
  }
}

/** Ctrl-C must not leave processes behind. */
async function stop(): Promise<void> {
  await current?.disposeAsync();
  whole.dispose();
  process.exit(1);
}

function print(): void {
  const lines = figures.map(lineOf);
  const after = machineFacts();
  if (values.json) {
    const machine = { ...before, loadAfter: after.load, disk };
    process.stdout.write(`${JSON.stringify({ machine, figures: lines, broken }, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${renderTable(lines)}\n\n`);
  process.stdout.write(
    `${before.cores} cores (${before.cpu}), load ${before.load} before and ${after.load} after, Node ${before.node}\n`,
  );
  if (disk) {
    process.stdout.write(
      `disk: ${disk.createMs.toFixed(3)} ms to create a file, ${disk.commitMs.toFixed(2)} ms to sync 4 KB\n`,
    );
  }
  if (broken.length > 0) process.stdout.write(`Broken: ${broken.join(", ")}\n`);
}
