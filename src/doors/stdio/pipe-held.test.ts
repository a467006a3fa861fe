import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { runPipe, type PipeOptions } from "./pipe.ts";

const messageShape = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
});
type Message = z.infer<typeof messageShape>;

/** A daemon that closes every connection unserved, hangs, or answers everything; it can change. */
async function aDaemon(mode: "full" | "hung" | "serving") {
  const path = join(aTempDir(), "s.sock");
  const sockets = new Set<Socket>();
  const daemon = { path, mode, heard: new Array<Message>(), connections: 0, drop };
  function drop(): void {
    for (const socket of sockets) socket.destroy();
  }
  const server = createServer((socket) => {
    daemon.connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    if (daemon.mode === "full") return void socket.destroy();
    createInterface({ input: socket }).on("line", (line) => {
      if (daemon.mode === "hung") return;
      const message = messageShape.parse(JSON.parse(line));
      if (message.method === undefined) return;
      daemon.heard.push(message);
      if (message.id === undefined) return;
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: {} })}\n`);
    });
  });
  server.listen(path);
  await once(server, "listening");
  onTestFinished(() => {
    drop();
    server.close();
  });
  return daemon;
}

type Over = Pick<PipeOptions, "lastWait"> & {
  readonly token?: string;
  readonly onPause?: (pauses: readonly number[]) => void;
};

function aClient(path: string, { token, onPause, lastWait }: Over = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const pauses: number[] = [];
  const done = runPipe({
    input,
    output,
    hello: { kind: "mcp", version: "1", pid: 1, cwd: "/", token: token ?? null, keys: {} },
    async connect(wanted) {
      if (wanted() === "nothing") return undefined;
      const socket = connect(path);
      await once(socket, "connect");
      return socket;
    },
    earlyHello: () => undefined,
    async pause(ms) {
      pauses.push(ms);
      onPause?.(pauses);
      await new Promise((resolve) => setImmediate(resolve));
    },
    lastWait: lastWait ?? (() => new Promise(() => {})),
  });
  const answers: unknown[] = [];
  createInterface({ input: output }).on("line", (line) => answers.push(JSON.parse(line)));
  return {
    input,
    done,
    pauses,
    answers,
    send: (message: Record<string, unknown>) =>
      void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
  };
}

const initialize = { id: 0, method: "initialize", params: {} };
const aCall = (id: number, name = "run_agents") => ({ id, method: "tools/call", params: { name } });
const unserved = (id: number) => ({ id, error: { code: -32000 } });

test("a held call that its client has cancelled is never delivered", async () => {
  const daemon = await aDaemon("serving");
  const client = aClient(daemon.path, {
    onPause(pauses) {
      if (pauses.length === 1) {
        for (const id of [1, 2]) {
          client.send(aCall(id));
          client.send({ method: "notifications/cancelled", params: { requestId: id } });
        }
        client.send(aCall(3));
      }
      if (pauses.length === 3) daemon.mode = "serving";
    },
  });
  client.send(initialize);
  await expect.poll(() => client.answers).toMatchObject([{ id: 0 }]);
  daemon.mode = "full";
  daemon.drop();

  await expect.poll(() => client.answers).toMatchObject([{ id: 0 }, { id: 3 }]);
  expect(daemon.heard.filter(({ method }) => method !== "initialize")).toMatchObject([{ id: 3 }]);
  client.input.end();
  await client.done;
});

test("a cancellation of a call that the daemon has is passed on", async () => {
  const daemon = await aDaemon("serving");
  const client = aClient(daemon.path);
  client.send(initialize);
  await expect.poll(() => client.answers).toHaveLength(1);
  client.send(aCall(1));
  client.send({ method: "notifications/cancelled", params: { requestId: 1 } });
  client.send(aCall(2));

  await expect.poll(() => client.answers).toHaveLength(3);
  expect(daemon.heard.map(({ method }) => method)).toContain("notifications/cancelled");
  client.input.end();
  await client.done;
});

test("what no daemon serves for a minute is answered with an error, and later calls are served", async () => {
  const daemon = await aDaemon("full");
  const client = aClient(daemon.path, {
    onPause(pauses) {
      // Held after the handshake has gone to a connection.
      if (pauses.length === 2) client.send(aCall(1));
    },
  });
  client.send(initialize);

  await expect.poll(() => client.answers).toMatchObject([unserved(0), unserved(1)]);
  const total = client.pauses.reduce((sum, ms) => sum + ms, 0);
  expect(total).toBeGreaterThanOrEqual(60_000);

  daemon.mode = "serving";
  client.send(initialize);
  await expect.poll(() => client.answers).toMatchObject([{}, {}, { id: 0, result: {} }]);
  expect(daemon.heard).toMatchObject([{ method: "initialize" }]);
  client.input.end();
  await client.done;
});

test.each(["full", "hung"] as const)(
  "a client that closes its input with a held call does not wait for ever for a %s daemon",
  async (mode) => {
    const daemon = await aDaemon(mode);
    const waits: number[] = [];
    const over = Promise.withResolvers<void>();
    const client = aClient(daemon.path, {
      lastWait: (ms) => {
        waits.push(ms);
        return over.promise;
      },
    });
    client.send(initialize);
    client.send({ method: "notifications/initialized" });
    client.send(aCall(1));
    client.input.end();
    await expect.poll(() => daemon.connections).toBeGreaterThan(0);
    over.resolve();

    await client.done;
    expect(waits).toEqual([60_000]);
    await expect.poll(() => client.answers.at(-1)).toMatchObject(unserved(1));
  },
);

test("the report of an agent waits on, also after the agent has closed its input", async () => {
  const daemon = await aDaemon("full");
  const client = aClient(daemon.path, {
    token: "agent-token",
    lastWait: async () => {},
    onPause(pauses) {
      if (pauses.reduce((sum, ms) => sum + ms, 0) > 130_000) daemon.mode = "serving";
    },
  });
  client.send(initialize);
  client.send(aCall(1, "list_agents"));
  client.send(aCall(2, "report_result"));
  client.input.end();

  await client.done;
  expect(daemon.heard).toMatchObject([{ method: "initialize" }, { id: 2 }]);
  expect(client.answers).toMatchObject([{ id: 1, error: {} }, { id: 0 }, { id: 2, result: {} }]);
});
