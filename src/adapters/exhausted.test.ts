import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { z } from "zod";

const PROGRAM = `
import { openSync } from "node:fs";
import { spawn } from "node:child_process";
import { createCheckCommand } from "${new URL("check-command.ts", import.meta.url).href}";
import { runBounded } from "${new URL("bounded-run.ts", import.meta.url).href}";
import { isOrphaned } from "${new URL("marked-processes.ts", import.meta.url).href}";
import { lineageOf } from "${new URL("supervisor/processes/lineage.ts", import.meta.url).href}";
import { procfs, ps } from "${new URL("supervisor/processes/process-table.ts", import.meta.url).href}";

const child = spawn("/bin/sleep", ["30"], { stdio: "ignore" });
const { start } = procfs.get(child.pid);
const check = createCheckCommand(() => ({}));
await check(["/bin/true"], "/");
await runBounded(aRun());
try { for (;;) openSync("/dev/null"); } catch {}

function aRun() {
  return { argv: ["/bin/true"], env: {}, cwd: "/", stdin: "", timeoutMs: 5000, maxBytes: 1000,
    stopSignal: "SIGTERM", onOutput() {} };
}
async function answerOf(ask) {
  try { return JSON.stringify(await ask()) ?? "undefined"; } catch (error) { return "threw " + error.code; }
}
const answers = {
  get: await answerOf(() => procfs.get(child.pid)),
  isStillThere: await answerOf(() => procfs.isStillThere(child.pid, start)),
  table: await answerOf(() => procfs.table()),
  agentMark: await answerOf(() => procfs.agentMark(child.pid)),
  isMentioned: await answerOf(() => procfs.isMentioned("sleep")),
  psGet: await answerOf(() => ps.get(child.pid)),
  psTable: await answerOf(() => ps.table()),
  psIsStillThere: await answerOf(() => ps.isStillThere(child.pid, start)),
  lineage: await answerOf(() => lineageOf(child.pid)),
  isOrphaned: await answerOf(() => isOrphaned(child.pid + "." + start + ".00")),
  check: await answerOf(() => check(["/bin/true"], "/")),
  bounded: await answerOf(async () => (await runBounded(aRun())).how),
};
child.kill("SIGKILL");
process.stdout.write(JSON.stringify(answers));
process.exit(0);
`;

test("without free descriptors no process is reported as gone, and no start crashes", () => {
  const limited = 'ulimit -n 48 && exec "$0" --input-type=module -e "$1"';

  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", limited, process.execPath, PROGRAM], {
    encoding: "utf8",
  });

  expect(stderr).toBe("");
  const { check, psIsStillThere, bounded, ...looks } = z
    .record(z.string(), z.string())
    .parse(JSON.parse(stdout));
  for (const [name, answer] of Object.entries(looks)) {
    expect(`${name}: ${answer}`).toBe(`${name}: threw EMFILE`);
  }
  // Needs no descriptor.
  expect(psIsStillThere).toBe("true");
  expect(check).toContain("ulimit -n");
  expect(bounded).toBe('"not-started"');
});
