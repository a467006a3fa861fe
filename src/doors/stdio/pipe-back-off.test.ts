import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { runPipe } from "./pipe.ts";

/** A pipe to a daemon that handles connections this way; ends after the given number of pauses. */
async function pausesOf(onConnection: (socket: Socket, index: number) => void, count: number) {
  const path = join(aTempDir(), "s.sock");
  let connections = 0;
  const server = createServer((socket) => onConnection(socket, connections++));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  const input = new PassThrough();
  const pauses: number[] = [];
  await runPipe({
    input,
    output: new PassThrough(),
    hello: {
      kind: "mcp",
      version: "1",
      pid: 1,
      cwd: "/",
      token: null,
      personToken: null,
      keys: {},
    },
    connect: async (wanted) => (wanted() === "nothing" ? undefined : connect(path)),
    earlyHello: () => undefined,
    async pause(ms) {
      pauses.push(ms);
      if (pauses.length === count) input.end();
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  return pauses;
}

test("a daemon that closes every connection unheard is asked less and less often", async () => {
  const pauses = await pausesOf((socket) => socket.destroy(), 8);

  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
});

test("a connection that was served is replaced at once, and the pauses begin anew", async () => {
  const answer = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n';
  const pauses = await pausesOf((socket, index) => {
    if (index === 2) socket.end(answer);
    else socket.destroy();
  }, 3);

  expect(pauses).toEqual([100, 200, 100]);
});
