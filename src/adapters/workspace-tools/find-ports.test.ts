import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { aFreePort } from "../../../test/kit/free-port.ts";
import { findPorts } from "./find-ports.ts";

async function hold(port: number, host: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, ipv6Only: host.includes(":") }, resolve);
  });
  onTestFinished(() => void server.close());
}

/** The start of twelve free ports. */
async function aFreeRange(): Promise<number> {
  for (;;) {
    const from = await aFreePort();
    const found = await findPorts({ from, to: from + 11 }, 12, []);
    if (found) return found.from;
  }
}

test.each([["127.0.0.1"], ["0.0.0.0"], ["::1"]])(
  "a port that a program holds on %s is not given out",
  async (host) => {
    const from = await aFreeRange();
    await hold(from + 1, host);

    expect(await findPorts({ from, to: from + 11 }, 3, [])).toEqual({ from: from + 2, count: 3 });
  },
);

test("leased blocks are skipped, also if they begin before the range", async () => {
  const from = await aFreeRange();
  const taken = [
    { from: from - 2, count: 4 },
    { from: from + 5, count: 2 },
  ];

  expect(await findPorts({ from, to: from + 11 }, 3, taken)).toEqual({ from: from + 2, count: 3 });
  expect(await findPorts({ from, to: from + 11 }, 4, taken)).toEqual({ from: from + 7, count: 4 });
  expect(await findPorts({ from, to: from + 11 }, 6, taken)).toBeNull();
});

test("a block that is larger than the range is not found", async () => {
  expect(await findPorts({ from: 20_000, to: 20_004 }, 6, [])).toBeNull();
});
