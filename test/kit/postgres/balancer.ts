import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { whenDone } from "../when-done.ts";

/** A load balancer: each connection goes to the next server that accepts it. */
export async function aBalancer(
  servers: () => readonly string[],
): Promise<{ readonly url: string }> {
  const sockets = new Set<Socket>();
  let turn = 0;

  async function open(): Promise<Socket | undefined> {
    const urls = servers();
    const first = turn++;
    for (let index = 0; index < urls.length; index++) {
      const { port, hostname } = new URL(urls[(first + index) % urls.length] ?? "");
      const socket = connect(Number(port), hostname);
      try {
        await once(socket, "connect");
        return socket;
      } catch {
        // The server is down; the next one may answer.
      }
    }
    return undefined;
  }
  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  }
  async function join(client: Socket): Promise<void> {
    const server = await open();
    if (!server) return void client.destroy();
    keep(server);
    client.once("close", () => server.destroy());
    server.once("close", () => client.destroy());
    if (client.destroyed) server.destroy();
    client.pipe(server);
    server.pipe(client);
  }
  const net = createServer({ pauseOnConnect: true }, (client) => {
    keep(client);
    void join(client);
  });
  net.listen(0, "127.0.0.1");
  await once(net, "listening");
  whenDone(() => {
    for (const socket of sockets) socket.destroy();
    net.close();
  });
  const address = net.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}` };
}
