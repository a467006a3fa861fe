import { connect, createServer, type Socket } from "node:net";
import { until } from "../daemon.ts";
import { whenDone } from "../when-done.ts";

export type SlowLine = {
  readonly url: string;
  /** What clients send. */
  readonly up: Way;
  /** What the server sends. */
  readonly down: Way;
  /** New connections go to this server; open ones are cut. */
  use(url: string): void;
};

/** One direction of the line. */
export type Way = {
  /** Bytes arrive with this many per second; `Infinity`: as fast as they can. */
  slowTo(bytesPerSecond: number): void;
  /** Passes this many more bytes, then none until `release`. */
  holdAfter(bytes: number): void;
  /** Resolves when bytes are held back. */
  held(): Promise<void>;
  release(): void;
};

/** A connection to a server that is slow, or stops in the middle of a message, where a test wants it. */
export async function aSlowLine(first: string): Promise<SlowLine> {
  let target = new URL(first);
  const sockets = new Set<Socket>();
  const [up, down] = [aWay(), aWay()];

  const net = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => sockets.delete(socket));
    }
    client.on("data", (bytes: Buffer) => up.pass(client, server, bytes));
    server.on("data", (bytes: Buffer) => down.pass(server, client, bytes));
    client.once("close", () => server.destroy());
    server.once("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => net.listen(0, "127.0.0.1", resolve));
  whenDone(() => {
    for (const socket of sockets) socket.destroy();
    net.close();
  });
  const address = net.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    up,
    down,
    use(url) {
      target = new URL(url);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function aWay() {
  let rate = Infinity;
  let room = Infinity;
  let isHeld = false;
  let onReleased = new Set<() => void>();

  /** Passes what has arrived, then waits as long as a line of this speed needs for it. */
  function pass(from: Socket, to: Socket, bytes: Buffer): void {
    from.pause();
    const now = bytes.subarray(0, Math.min(bytes.length, room));
    room -= now.length;
    if (now.length > 0) to.write(now);
    if (now.length < bytes.length) {
      isHeld = true;
      onReleased.add(() => pass(from, to, bytes.subarray(now.length)));
      return;
    }
    const goOn = () => setTimeout(() => from.resume(), (bytes.length / rate) * 1_000);
    if (to.writableNeedDrain) to.once("drain", goOn);
    else goOn();
  }

  return {
    pass,
    slowTo: (bytesPerSecond: number) => void (rate = bytesPerSecond),
    holdAfter: (bytes: number) => void (room = bytes),
    held: () => until(() => isHeld),
    release() {
      const waiting = onReleased;
      onReleased = new Set();
      room = Infinity;
      isHeld = false;
      for (const goOn of waiting) goOn();
    },
  };
}
