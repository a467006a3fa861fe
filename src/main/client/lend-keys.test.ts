import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test, vi } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { VENDOR_VARIABLES } from "../../contract/hello.ts";
import { createKeyLender } from "./lend-keys.ts";

/** A terminal with these vendor keys, and a daemon that does this with the hello of a connection. */
async function aLender(keys: Record<string, string>, answer: (socket: Socket) => void) {
  for (const name of VENDOR_VARIABLES) vi.stubEnv(name, keys[name]);
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = join(aTempDir(), "socket");
  const hellos: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    createInterface({ input: socket }).once("line", (line) => {
      hellos.push(line);
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const lend = createKeyLender(async () => {
    const socket = connect(path);
    await new Promise((resolve) => socket.once("connect", resolve));
    return socket;
  });
  return { lend, hellos, sockets };
}

test("a terminal lends only its vendor keys, once, and again after the daemon was restarted", async () => {
  vi.stubEnv("SOMETHING_ELSE", "no key");
  let count = 0;
  const { lend, hellos, sockets } = await aLender({ GEMINI_API_KEY: "k" }, (socket) => {
    socket.write(`{"ticket":"ticket ${++count}"}\n`);
  });

  expect(await Promise.all([lend(), lend()])).toEqual(["ticket 1", "ticket 1"]);
  expect(hellos.map((line) => JSON.parse(line))).toMatchObject([{ keys: { GEMINI_API_KEY: "k" } }]);
  expect(hellos[0]).not.toContain("no key");

  sockets[0]?.destroy();
  await expect.poll(lend).toBe("ticket 2");
});

test("a daemon of an earlier version, which closes the connection, gets no keys", async () => {
  const { lend } = await aLender({ GEMINI_API_KEY: "k" }, (socket) => socket.destroy());
  expect(await lend()).toBeUndefined();
});

test("a terminal without vendor keys opens no connection", async () => {
  const { lend, sockets } = await aLender({}, () => {});
  expect(await lend()).toBeUndefined();
  expect(sockets).toEqual([]);
});
