// The dashboard from source: Vite replaces changed modules in the open page, and all other requests are
// forwarded to the daemon, also across its restarts.
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { createServer as createVite, type ViteDevServer } from "vite";
import { type DaemonAddress, isForDaemon, proxyRequest, proxyUpgrade } from "./dev-proxy.ts";

const WEB = join(import.meta.dirname, "../web");
const DEFAULT_PORT = 5173;

export type DevWeb = { readonly url: string; close(): Promise<void> };

/**
 * `port`: 0 for any free port; by default 5173, or any if that one is taken. Vite is started by the first
 * request for the page, because it prepares the packages then, which takes a while.
 */
export async function startWeb(address: DaemonAddress, port: number | undefined): Promise<DevWeb> {
  const server = createHttpServer();
  let starting: Promise<ViteDevServer> | undefined;
  const vite = () => (starting ??= startVite(server));
  server.on("request", (request, response) => {
    if (isForDaemon(request.url)) void proxyRequest(request, response, address);
    else
      vite().then(
        ({ middlewares }) => middlewares(request, response),
        (error: unknown) => response.writeHead(500).end(`Vite does not start: ${String(error)}`),
      );
  });
  // Vite has its own listener for its WebSocket connections.
  server.on("upgrade", (request, socket: Socket, head) => {
    if (isForDaemon(request.url)) proxyUpgrade(request, socket, head, address);
    else if (!starting) socket.destroy();
  });
  const listening = await listen(server, port);
  return {
    url: `http://127.0.0.1:${listening.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await starting?.then((started) => started.close()).catch(() => {});
    },
  };
}

function startVite(server: Server): Promise<ViteDevServer> {
  return createVite({
    configFile: join(WEB, "vite.config.ts"),
    // Middleware mode: Vite does not handle signals or end this process.
    server: { middlewareMode: true, hmr: { server } },
    clearScreen: false,
    logLevel: "warn",
  });
}

async function listen(server: Server, port: number | undefined): Promise<AddressInfo> {
  try {
    return await listenOn(server, port ?? DEFAULT_PORT);
  } catch (error) {
    if (port !== undefined) throw error;
    return listenOn(server, 0);
  }
}

function listenOn(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address);
    });
  });
}
