/**
 * Many dashboards in one process: `{"open":url,"count":n}` connects them, `{}` returns the lag of the
 * events they received, and closes them. A gap in the events ends the process.
 */
import { createInterface } from "node:readline";
import type { WebSocket } from "ws";
import { z } from "zod";
import { aLiveSocket } from "./kit/live-socket.ts";

const request = z.object({ open: z.string().optional(), count: z.number().default(0) });
const frame = z.object({
  t: z.enum(["snapshot", "events"]),
  seq: z.number().optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  ev: z.array(z.object({ data: z.object({ at: z.string() }) })).default([]),
});

let sockets: WebSocket[] = [];
let lags: number[] = [];
let frames = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const { open, count } = request.parse(JSON.parse(line));
  if (open === undefined) process.stdout.write(`${JSON.stringify(finish())}\n`);
  else {
    sockets = await Promise.all(Array.from({ length: count }, () => aDashboard(open)));
    process.stdout.write("open\n");
  }
}

async function aDashboard(url: string): Promise<WebSocket> {
  const started = Promise.withResolvers<void>();
  let at = Number.NaN;
  const socket = await aLiveSocket(url, (text) => {
    const now = Date.now();
    const { t, seq = 0, from, to = 0, ev } = frame.parse(JSON.parse(text));
    if (t === "events" && from !== at + 1) throw new Error(`A frame from ${from} after ${at}.`);
    at = t === "snapshot" ? seq : to;
    started.resolve();
    frames++;
    for (const event of ev) lags.push(now - Date.parse(event.data.at));
  });
  await started.promise;
  return socket;
}

function finish() {
  for (const socket of sockets) socket.terminate();
  const sorted = lags.toSorted((one, other) => one - other);
  const quantile = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  const found = { frames, events: sorted.length, p50: quantile(0.5), p99: quantile(0.99) };
  sockets = [];
  lags = [];
  frames = 0;
  return found;
}
