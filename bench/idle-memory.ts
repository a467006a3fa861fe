import { spawn } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./kit/bench.ts";
import { endStrayDaemon } from "./kit/daemon.ts";
import { aPlace, readDaemonFile } from "./kit/place.ts";
import { childrenOf, pssOf } from "./kit/proc.ts";
import { sleep, until } from "./kit/stats.ts";

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};
/** Three bare Node processes need 66 MB: 39 MB of shared program text and 9 MB each. */
const ALLOWED_KB = 80 * 1024;
/** The daemon runs a garbage collection after ten idle seconds. */
const REST_MS = 20_000;

/**
 * Memory of an open editor while nothing happens: daemon, launcher and one shim, by Pss. They run with
 * a copy of Node, so that no other program on this machine shares its program text.
 */
export const idleMemory: Bench = async (context) => {
  const { product, ends } = context;
  const place = aPlace(product);
  const node = join(place.dir, "node");
  copyFileSync(process.execPath, node);
  const shim = spawn(node, [product.bin, "mcp"], {
    cwd: place.dir,
    env: place.env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  ends.defer(async () => {
    shim.kill("SIGKILL");
    await endStrayDaemon(place);
  });
  shim.stdin.write(`${JSON.stringify(HELLO)}\n`);
  await until(() => readDaemonFile(place) !== undefined, "a daemon");
  const daemon = readDaemonFile(place)?.pid ?? 0;
  await until(() => childrenOf(daemon).length > 0, "a launcher");
  const weigh = () => {
    const parts = { daemon, launcher: childrenOf(daemon)[0] ?? 0, shim: shim.pid ?? 0 };
    const each = Object.entries(parts).map(([name, pid]) => [name, pssOf(pid)] as const);
    context.say(JSON.stringify(Object.fromEntries(each)));
    return each.reduce((sum, [, kb]) => sum + kb, 0);
  };
  await sleep(2_000);
  const started = weigh();
  await sleep(REST_MS);
  const rested = weigh();

  const common = { unit: "KB", floor: [], goal: { atMost: ALLOWED_KB } } as const;
  return [
    { ...common, name: "daemon, launcher and shim after the start (Pss)", product: [started] },
    { ...common, name: "daemon, launcher and shim at rest (Pss)", product: [rested] },
  ];
};
