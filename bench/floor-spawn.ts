/**
 * The floor of starting processes from Node: the same wrapper around the same program, with a given
 * concurrency, and only their files are kept. Reads one job per line of stdin, writes its time in ms.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { wrapperArguments } from "../src/adapters/supervisor/launcher/wrapper.ts";

const job = z.object({
  dir: z.string(),
  count: z.number(),
  atOnce: z.number(),
  argv: z.array(z.string()),
});

for await (const line of createInterface({ input: process.stdin })) {
  const { dir, count, atOnce, argv } = job.parse(JSON.parse(line));
  const began = performance.now();
  let next = 0;
  const slot = async (): Promise<void> => {
    while (next < count) await spawnOne(join(dir, String(next++)), argv);
  };
  await Promise.all(Array.from({ length: atOnce }, slot));
  process.stdout.write(`${performance.now() - began}\n`);
}

async function spawnOne(base: string, argv: readonly string[]): Promise<void> {
  const out = openSync(`${base}.out`, "a", 0o600);
  const status = openSync(`${base}.status`, "a", 0o600);
  const child = spawn("/bin/sh", wrapperArguments(`${base}.claim`, 0o022, argv), {
    detached: true,
    stdio: ["ignore", out, "ignore", status],
  });
  closeSync(out);
  closeSync(status);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`A wrapper ended with ${code}.`);
}
