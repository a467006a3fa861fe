import { createServer, type Server as NetServer, type Socket } from "node:net";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Core, Identity } from "../../app/core.ts";
import type { ControlHello, McpHello } from "../../contract/hello.ts";
import type { AgentId } from "../../domain/ids.ts";
import { limitConnections } from "../limit-connections.ts";
import { createMcpServer, type McpDoorOptions } from "./create-mcp-server.ts";
import { identifyByAgent, presentToken, requireAgent, requireOwner } from "./identify.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { readHello } from "./read-hello.ts";

const FIRST_ANSWER_MS = 10;
/** Answers a client has not read; with more of them nothing further is read from it. */
const MAX_UNREAD_BYTES = 1024 ** 2;

export type SocketDoorOptions = McpDoorOptions & {
  /** Agents of an earlier daemon are known again; before, nobody's lineage can be told. */
  readonly adopted: Promise<void>;
  /** Answers a command of `kuromajutsu status|stop`; the answer is one JSON line. */
  control(command: ControlHello["command"]): Promise<unknown>;
  /** How many connections there may be; commands are answered beyond it. */
  readonly maxConnections?: number;
};

export type SocketDoor = {
  readonly net: NetServer;
  toolsChanged(): void;
  clientCount(): number;
  /** Resolves when a client is being served, or after this long. */
  firstClient(withinMs: number): Promise<void>;
  close(): Promise<void>;
};

/** The local door: a byte pipe from `kuromajutsu mcp`, one MCP server per connection. */
export function createSocketDoor(options: SocketDoorOptions): SocketDoor {
  const { core } = options;
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const servers = new Set<Server>();
  const served = Promise.withResolvers<void>();
  const connections = limitConnections({
    max: options.maxConnections ?? Infinity,
    onFull: () =>
      core.log.warn("The socket has as many connections as it can serve; closing some.", {
        max: options.maxConnections,
      }),
  });

  const net = createServer((socket) => {
    connections.accept(socket);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", (error) => core.log.debug("socket", { error: error.message }));
    greet(socket).catch((error: unknown) => {
      // A peer that disconnects before its hello is no reason to fill the log.
      const level = socket.destroyed ? "debug" : "warn";
      core.log[level]("A connection was refused.", { error: String(error) });
      socket.destroy();
    });
  });

  async function greet(socket: Socket): Promise<void> {
    const hello = await readHello(socket);
    if (hello.kind === "mcp" && connections.isOver(socket)) {
      throw new Error("The socket has as many connections as it can serve.");
    }
    connections.trust(socket);
    if (hello.kind === "control") {
      socket.end(`${JSON.stringify(await options.control(hello.command))}\n`);
      return;
    }
    core.clientKeys.offer(hello.keys);
    if (Object.keys(hello.keys).length > 0) core.dispatchSoon();
    serveMcp(socket, hello);
  }

  function serveMcp(socket: Socket, hello: McpHello): void {
    const identity = identifierFor(core, hello, options.adopted);
    serveStdio(
      () => {
        const server = createMcpServer(options, { identify: identity });
        servers.add(server);
        socket.once("close", () => servers.delete(server));
        return server;
      },
      {
        transport: new StdioServerTransport(socket, socket, { maxBufferSize: MAX_MESSAGE_BYTES }),
        onerror: (error) => core.log.debug("mcp socket", { error: error.message }),
      },
    );
    clients.add(socket);
    // Its first request came with the hello; what this lets in may take its time after that.
    setTimeout(served.resolve, FIRST_ANSWER_MS);
    socket.once("close", () => clients.delete(socket));
    holdBack(socket);
    // Reading stopped after the hello line until somebody listens.
    socket.resume();
  }

  return {
    net,
    toolsChanged() {
      for (const server of servers) {
        server.sendToolListChanged().catch((error: unknown) => {
          core.log.debug("mcp socket", { error: String(error) });
        });
      }
    },
    clientCount: () => clients.size,
    async firstClient(withinMs) {
      const timer = setTimeout(served.resolve, withinMs);
      await served.promise;
      clearTimeout(timer);
    },
    async close() {
      const closed = new Promise<void>((resolve) => net.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Who asks and asks and never reads (it may be suspended) would fill our memory with its answers. */
function holdBack(socket: Socket): void {
  socket.on("data", () => {
    if (socket.writableLength <= MAX_UNREAD_BYTES) return;
    socket.pause();
    socket.once("drain", () => socket.resume());
  });
}

/**
 * An agent's token names the agent; without one a descendant of a live agent is that agent. A
 * person's token counts only after both were asked, and only in its own place.
 */
function identifierFor(
  core: Core,
  hello: McpHello,
  adopted: Promise<void>,
): () => Promise<Identity> {
  const token = presentToken(hello.token);
  const personToken = presentToken(hello.personToken);
  if (token !== undefined) {
    const tokenHash = core.tokens.hash(token);
    return () => requireAgent(core, tokenHash);
  }
  let parent: Promise<AgentId | undefined> | undefined;
  // Only success is kept: the lookup fails while no descriptor is left, and is repeated then.
  async function findParent(): Promise<AgentId | undefined> {
    parent ??= adopted.then(() => core.supervisor.agentOfProcess(hello.pid));
    try {
      return await parent;
    } catch (error) {
      parent = undefined;
      throw error;
    }
  }
  // Begun at once, while the process is surely there; an error is raised for the call that needs it.
  findParent().catch(() => {});
  return async () => {
    const agentId = await findParent();
    if (agentId !== undefined) return identifyByAgent(core, agentId);
    const { cwd, keys } = hello;
    if (personToken === undefined) return { kind: "client", cwd, keys };
    return { kind: "person", person: requireOwner(core, personToken), cwd, keys };
  };
}
