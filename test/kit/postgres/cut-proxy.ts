import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { partsOf, passwordUrl } from "./urls.ts";

/** `answers` is what the server sends: a commit arrives, but the client does not get the answer. */
type Stalled = "nothing" | "answers" | "both";

type Connection = {
  readonly client: Socket;
  readonly server: Socket;
};

export type CutProxy = {
  /** The database through the proxy, with user and password. */
  readonly url: string;
  /** How many connections are open now. */
  count(): number;
  /** Resets the open connections. New ones work. */
  reset(): void;
  /** Resets the open connections, and each new one until `restore`. */
  cut(): void;
  /** Keeps connections open and accepts new ones, but moves no bytes until `restore`. */
  stall(what?: "answers" | "both"): void;
  /** Ends `cut` and `stall`. Bytes that were sent while stalled arrive now. */
  restore(): void;
};

/** A TCP proxy in front of the server of this database. It ends when the test ends. */
export async function aCutProxy(url: string): Promise<CutProxy> {
  const { port, database } = partsOf(url);
  const open = new Set<Connection>();
  let stalled: Stalled = "nothing";
  let isCut = false;

  const proxy = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (isCut) {
      client.on("error", () => {});
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    const connection = { client, server };
    open.add(connection);
    join(client, server, () => stalled === "both");
    join(server, client, () => stalled !== "nothing");
    for (const socket of [client, server]) {
      socket.once("close", () => {
        if (client.destroyed && server.destroyed) open.delete(connection);
      });
    }
    flow();
  });

  function flow(): void {
    for (const { client, server } of open) {
      if (stalled === "both") client.pause();
      else client.resume();
      if (stalled === "nothing") server.resume();
      else server.pause();
    }
  }

  function reset(): void {
    for (const { client, server } of open) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
    open.clear();
  }

  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    reset();
    proxy.close();
  });
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: passwordUrl(address.port, database),
    count: () => open.size,
    reset,
    cut() {
      isCut = true;
      reset();
    },
    stall(what = "both") {
      stalled = what;
      flow();
    },
    restore() {
      isCut = false;
      stalled = "nothing";
      flow();
    },
  };
}

/** Moves bytes from one side to the other, with back-pressure. */
function join(from: Socket, to: Socket, isStalled: () => boolean): void {
  from.on("data", (bytes) => {
    if (!to.write(bytes)) from.pause();
  });
  to.on("drain", () => {
    if (!isStalled()) from.resume();
  });
  from.on("end", () => to.end());
  from.on("error", () => to.destroy());
  from.on("close", () => to.destroy());
}
