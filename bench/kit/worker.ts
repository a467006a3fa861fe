import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Context } from "./bench.ts";
import { aPlace, FAKE_CLIS, urlOf, type Place } from "./place.ts";
import { until } from "./stats.ts";

const added = z.object({ token: z.string() });

/** Starts `kuromajutsu worker` for the server of this place; resolves when it is connected. */
export async function aWorker(
  { product, ends }: Context,
  server: Place,
  { name, slots, env }: { name: string; slots: number; env: Record<string, string> },
): Promise<{ readonly pid: number }> {
  const url = urlOf(server);
  const answer = await fetch(`${url}/api/workers`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-kuromajutsu": "1" },
    body: JSON.stringify({ name }),
  });
  const { token } = added.parse(await answer.json());
  const place = aPlace(product, { path: [FAKE_CLIS], env });
  const file = join(place.dir, "token");
  writeFileSync(file, token, { mode: 0o600 });
  const options = ["--server", url, "--token-file", file, "--slots", String(slots)];
  const child = spawn(
    process.execPath,
    [product.bin, "worker", ...options, "--data", place.dataDir],
    { cwd: place.dir, env: place.env, stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const exited = once(child, "exit");
  ends.defer(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  await until(() => {
    if (child.exitCode !== null) throw new Error(`The worker ended: ${said}`);
    return said.includes("Connected.");
  }, "a worker");
  return { pid: child.pid ?? 0 };
}
