import { existsSync, rmSync, statSync } from "node:fs";
import { Server as HttpServer } from "node:http";
import { dirname } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import type { LoadedConfig } from "../adapters/config/load-config.ts";
import { ensurePrivateDir } from "../adapters/config/locate.ts";
import type { Core } from "../app/core.ts";
import type { Log } from "../app/ports/world.ts";
import type { DaemonStatus } from "../contract/hello.ts";
import { createHttpApp } from "../doors/http/create-http-app.ts";
import { listen } from "../doors/http/listen.ts";
import { createHttpMcp } from "../doors/mcp/http-mcp.ts";
import { createSocketDoor, type SocketDoor } from "../doors/mcp/socket-door.ts";
import { TOOLS } from "../doors/mcp/tools.ts";
import { startMarker } from "./connect-or-start.ts";
import { shimCommand } from "./entries.ts";
import { VERSION } from "./version.ts";

const SOCKET_LOOK_MS = 1_000;

export type OpenDoors = {
  readonly core: Core;
  readonly loaded: LoadedConfig;
  readonly log: Log;
  readonly socketPath: string;
  readonly status: () => Promise<DaemonStatus>;
  readonly stop: () => void;
  readonly port: { readonly port: number; readonly explicit: boolean };
  readonly conformance: boolean;
};

export type Doors = {
  url(): string | null;
  mcpUrl(): string | null;
  clientCount(): number;
  toolsChanged(): void;
  close(): Promise<void>;
};

/** Opens the socket and the HTTP door; the socket first, so that stdio clients wait for nothing. */
export async function openDoors(options: OpenDoors): Promise<Doors> {
  const { core, loaded, log, socketPath } = options;
  const extras = options.conformance
    ? (await import("../doors/mcp/conformance/extras.ts")).conformanceExtras
    : undefined;
  const mcpOptions = { core, tools: TOOLS, version: VERSION, ...(extras && { extras }) };

  const socketDoor = createSocketDoor({
    ...mcpOptions,
    async control(command) {
      const answer = await options.status();
      if (command === "stop") options.stop();
      return answer;
    },
  });
  const socket = await openSocket(socketDoor, socketPath, log);

  const mcp = createHttpMcp(mcpOptions);
  const app = createHttpApp({
    allowedHostnames: ["localhost", "127.0.0.1", "[::1]"],
    mcp,
    status: options.status,
    snippet: mcpSnippet(),
  });
  const http = createAdaptorServer({ fetch: app.fetch });
  if (!(http instanceof HttpServer)) throw new Error("The HTTP adaptor made no HTTP/1 server.");
  const port = await listen(http, { host: loaded.bind, ...options.port });
  const origin = `http://${urlHost(loaded.bind)}:${port}`;

  return {
    url: () => origin,
    mcpUrl: () => `${origin}/mcp`,
    clientCount: () => socketDoor.clientCount() + mcp.sessionCount(),
    toolsChanged() {
      socketDoor.toolsChanged();
      mcp.toolsChanged();
    },
    async close() {
      socket.stopWatching();
      await socketDoor.close();
      await mcp.close();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeAllConnections();
      await closed;
      rmSync(socketPath, { force: true });
    },
  };
}

/** We hold the lock of the data directory, so a socket file that is there is a dead one. */
async function openSocket(door: SocketDoor, path: string, log: Log) {
  ensurePrivateDir(dirname(path));
  let inode = await bind();
  rmSync(startMarker(path), { force: true });

  async function bind(): Promise<number> {
    rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      door.net.once("error", reject);
      door.net.listen(path, () => {
        door.net.off("error", reject);
        resolve();
      });
    });
    return statSync(path).ino;
  }

  // Cleaners of temporary directories take sockets away; connections stay, new ones need a new file.
  const timer = setInterval(() => {
    if (existsSync(path) && statSync(path, { throwIfNoEntry: false })?.ino === inode) return;
    log.warn("The socket file disappeared; making it again.", { path });
    door.net.close();
    ensurePrivateDir(dirname(path));
    bind().then(
      (made) => (inode = made),
      (error: unknown) =>
        log.error("The socket could not be made again.", { error: String(error) }),
    );
  }, SOCKET_LOOK_MS);
  timer.unref();
  return { stopWatching: () => clearInterval(timer) };
}

function urlHost(bind: string): string {
  if (bind === "0.0.0.0" || bind === "::") return "127.0.0.1";
  return bind.includes(":") ? `[${bind}]` : bind;
}

export function mcpSnippet(): string {
  const [command, ...args] = shimCommand();
  const server = {
    command,
    args,
    env: { KUROMAJUTSU_AGENT_TOKEN: "${env:KUROMAJUTSU_AGENT_TOKEN}" },
  };
  return JSON.stringify({ mcpServers: { kuromajutsu: server } }, null, 2);
}
