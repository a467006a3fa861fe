import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

const MIB = 1_024 ** 2;
const LEASE_MS = 10_000;

/** A connection that moves this many bytes per second, on a clock of its own. */
function aLine(bytesPerSecond: number, latencyMs = 0) {
  let now = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const pieces: { readonly bytes: number; readonly ms: number }[] = [];
  const pace = createPace(LEASE_MS, () => now);
  const read = () =>
    pace(async (maxBytes) => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      await Promise.resolve();
      const ms = latencyMs + (maxBytes / bytesPerSecond) * 1_000;
      now += ms;
      pieces.push({ bytes: maxBytes, ms });
      atOnce--;
      return new Uint8Array(maxBytes);
    });
  return { read, pieces, mostAtOnce: () => mostAtOnce };
}

async function lastOf(line: ReturnType<typeof aLine>, reads = 40) {
  for (let read = 0; read < reads; read++) await line.read();
  return line.pieces.slice(-10);
}

test("over a slow connection pieces become so small that none takes long", async () => {
  for (const { ms } of await lastOf(aLine(100_000))) expect(ms).toBeLessThanOrEqual(700);
  for (const { bytes } of await lastOf(aLine(2_000))) expect(bytes).toBe(16_384);
});

test("over a fast connection pieces become large, also where every answer takes its time", async () => {
  for (const { bytes } of await lastOf(aLine(1_000 * MIB))) expect(bytes).toBe(MIB);
  for (const { bytes } of await lastOf(aLine(1_000 * MIB, 200))) expect(bytes).toBe(MIB);
});

test("bundles that are read at once take turns, and a piece that fails does not hold up the others", async () => {
  const line = aLine(MIB);
  await Promise.all([line.read(), line.read(), line.read()]);
  expect(line.mostAtOnce()).toBe(1);

  const pace = createPace(LEASE_MS);
  await expect(pace(() => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(await pace(async () => new Uint8Array(3))).toHaveLength(3);
});
