import { createServer, connect, type Socket } from "node:net";
import { whenDone } from "../when-done.ts";

export type Switch = {
  readonly url: string;
  /** New connections go to this server; open ones are cut. */
  use(url: string): void;
};

/** A load balancer that sends every connection to one server, and can be told to use another. */
export async function aSwitch(first: string): Promise<Switch> {
  let target = new URL(first);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  };
  const net = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    keep(client);
    keep(server);
    client.pipe(server);
    server.pipe(client);
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
    use(url) {
      target = new URL(url);
      for (const socket of sockets) socket.destroy();
    },
  };
}
