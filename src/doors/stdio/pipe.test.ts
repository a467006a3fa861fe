import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { runPipe } from "./pipe.ts";

const MODERN = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
const messageShape = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  result: z
    .looseObject({ from: z.string().optional(), isError: z.boolean().optional() })
    .optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type Message = z.infer<typeof messageShape>;

/** Reads the hello line, then hands over every message of the pipe. */
type Behaviour = (message: Message, socket: Socket) => void;

async function aDaemon(behaviour: Behaviour): Promise<{ path: string; heard: Message[] }> {
  const path = join(aTempDir(), "s.sock");
  const heard: Message[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
    let isHello = true;
    createInterface({ input: socket }).on("line", (line) => {
      if (isHello) return void (isHello = false);
      const message = messageShape.parse(JSON.parse(line));
      heard.push(message);
      behaviour(message, socket);
    });
  });
  server.listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { path, heard };
}

/** Answers everything, so that a test sees which daemon carried out a call. */
function answering(from: string): Behaviour {
  return ({ id }, socket) => {
    if (id !== undefined)
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { from } })}\n`);
  };
}

/** Answers the handshake and dies with the first call. */
const dyingWithACall: Behaviour = (message, socket) => {
  if (message.method === "tools/call") socket.destroy();
  else answering("first")(message, socket);
};

/** The listener of a killed process: the kernel accepts, but nothing reads or answers any more. */
const dead: Behaviour = (_message, socket) => void socket.destroy();

/** A client on a pipe whose connections go to these daemons, one after the other. */
function aClient(paths: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const next = [...paths];
  const done = runPipe({
    input,
    output,
    hello: { kind: "mcp", version: "1", pid: 1, cwd: "/", token: null, keys: {} },
    async connect(wanted) {
      if (wanted() === "nothing") return undefined;
      const socket = connect(next.shift() ?? "");
      await once(socket, "connect");
      return socket;
    },
    earlyHello: () => undefined,
  });
  onTestFinished(async () => {
    input.end();
    await done;
  });
  const answers = createInterface({ input: output })[Symbol.asyncIterator]();
  return {
    send: (message: Record<string, unknown>) =>
      void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    async answer(): Promise<Message> {
      const { value } = await answers.next();
      return messageShape.parse(JSON.parse(String(value)));
    },
  };
}

test.for([
  { era: "legacy", params: {} },
  { era: "modern", params: { _meta: MODERN } },
])(
  "a call made right after DAEMON_RESTARTED is not lost to a dying daemon ($era)",
  async ({ era, params }) => {
    const [first, dying, last] = [
      await aDaemon(dyingWithACall),
      await aDaemon(dead),
      await aDaemon(answering("last")),
    ];
    const client = aClient([first.path, dying.path, dying.path, last.path]);
    if (era === "legacy") {
      client.send({ id: 0, method: "initialize", params: {} });
      await client.answer();
      client.send({ method: "notifications/initialized" });
    }

    client.send({ id: 1, method: "tools/call", params });
    expect(await client.answer()).toMatchObject({ id: 1, result: { isError: true } });
    client.send({ id: 2, method: "tools/call", params });

    expect(await client.answer()).toMatchObject({ id: 2, result: { from: "last" } });
    expect(dying.heard.map(({ method }) => method)).not.toContain("tools/call");
    expect(last.heard.filter(({ method }) => method === "tools/call")).toMatchObject([{ id: 2 }]);
  },
);

test("what the client says while a daemon is not proved alive arrives in its order", async () => {
  const [first, dying, last] = [
    await aDaemon(dyingWithACall),
    await aDaemon(dead),
    await aDaemon(answering("last")),
  ];
  const client = aClient([first.path, dying.path, last.path]);
  client.send({ id: 0, method: "initialize", params: {} });
  await client.answer();
  client.send({ id: 1, method: "tools/call" });
  await client.answer();

  for (let id = 2; id <= 20; id++) client.send({ id, method: "tools/call" });
  for (let id = 2; id <= 20; id++) {
    expect(await client.answer()).toMatchObject({ id, result: { from: "last" } });
  }
});

test("a call that a living daemon had taken is still answered DAEMON_RESTARTED", async () => {
  const first = await aDaemon(dyingWithACall);
  const second = await aDaemon(dyingWithACall);
  const last = await aDaemon(answering("last"));
  const client = aClient([first.path, second.path, last.path]);
  client.send({ id: 0, method: "initialize", params: {} });
  await client.answer();

  client.send({ id: 1, method: "tools/call" });
  expect(await client.answer()).toMatchObject({ id: 1, result: { isError: true } });
  client.send({ id: 2, method: "tools/call" });
  expect(await client.answer()).toMatchObject({ id: 2, result: { isError: true } });
  client.send({ id: 3, method: "tools/call" });
  expect(await client.answer()).toMatchObject({ id: 3, result: { from: "last" } });
});
