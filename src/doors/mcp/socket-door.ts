import { createServer, type Server as NetServer, type Socket } from "node:net";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Core, Identity } from "../../app/core.ts";
import type { ControlHello, KeyTicket, McpHello } from "../../contract/hello.ts";
import type { AgentId } from "../../domain/ids.ts";
import { limitConnections } from "../limit-connections.ts";
import { createMcpServer, type Connection, type McpDoorOptions } from "./create-mcp-server.ts";
import { createProbeServer } from "./create-probe-server.ts";
import {
  identifyByAgent,
  presentToken,
  requireAgentByToken,
  requirePersonByToken,
} from "./identify.ts";
import { openTransport } from "./open-transport.ts";
import { readHello } from "./read-hello.ts";

const FIRST_ANSWER_MS = 10;
/** Back-pressure: above this amount of unread answers, nothing more is read from a client. */
const MAX_UNREAD_BYTES = 1024 ** 2;

export type SocketDoorOptions = McpDoorOptions & {
  /** Resolves once the agents of an earlier daemon are known; needed to find a client's parent agent. */
  readonly adopted: Promise<void>;
  /** Runs a command such as `kuromajutsu status`; the answer is one JSON line. */
  control(command: ControlHello["command"]): Promise<unknown>;
  /** The limit for MCP clients; commands are answered beyond it. */
  readonly maxConnections?: number;
};

export type SocketDoor = {
  readonly net: NetServer;
  toolsChanged(): void;
  clientCount(): number;
  /** Resolves when a client is served, at the latest after this time. */
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
      core.log.warn("The socket has reached its connection limit; closing some connections.", {
        max: options.maxConnections,
      }),
  });

  const net = createServer((socket) => {
    connections.accept(socket);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", (error) => core.log.debug("A socket failed.", { error: error.message }));
    greet(socket).catch((error: unknown) => {
      // A peer that disconnects before its hello must not fill the log.
      const level = socket.destroyed ? "debug" : "warn";
      core.log[level]("A connection was refused.", { error: String(error) });
      socket.destroy();
    });
  });

  async function greet(socket: Socket): Promise<void> {
    const hello = await readHello(socket);
    if (hello.kind !== "control" && connections.isOver(socket)) {
      throw new Error("The socket has reached its connection limit.");
    }
    connections.trust(socket);
    if (hello.kind === "control") {
      socket.end(`${JSON.stringify(await options.control(hello.command))}\n`);
      return;
    }
    core.clientKeys.offer(hello.keys);
    if (Object.keys(hello.keys).length > 0) core.dispatchSoon();
    if (hello.kind === "mcp") serveMcp(socket, hello);
    else takeKeys(core, socket, hello.keys);
  }

  function serveMcp(socket: Socket, hello: McpHello): void {
    const { transport, onDelivery } = openTransport(socket, {
      hasArrived: core.calls.serverId === null ? undefined : async () => true,
    });
    const create = serverFor(options, hello, onDelivery);
    serveStdio(
      () => {
        const server = create();
        servers.add(server);
        socket.once("close", () => servers.delete(server));
        return server;
      },
      {
        transport,
        onerror: (error) =>
          core.log.debug("An MCP connection on the socket failed.", { error: error.message }),
      },
    );
    clients.add(socket);
    // The first request arrives with the hello; slow work waits until it was answered.
    setTimeout(served.resolve, FIRST_ANSWER_MS);
    socket.once("close", () => clients.delete(socket));
    applyBackPressure(socket);
    // readHello paused the socket after the first line.
    socket.resume();
  }

  return {
    net,
    toolsChanged: () => notifyToolsChanged(servers, core.log),
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

/** Keeps the keys of a command while its connection is open. */
function takeKeys({ tokens, clientKeys }: Core, socket: Socket, keys: McpHello["keys"]): void {
  const ticket = tokens.create();
  socket.once("close", clientKeys.lend(ticket, keys));
  socket.write(`${JSON.stringify({ ticket } satisfies KeyTicket)}\n`);
  // A paused socket would not notice that the command has ended.
  socket.resume();
}

/** The run of a health check gets a server of its own; its token is no identity. */
function serverFor(
  options: SocketDoorOptions,
  hello: McpHello,
  onDelivery: Connection["onDelivery"],
): () => Server {
  const { core } = options;
  const token = presentToken(hello.token);
  const probe = token === undefined ? undefined : core.health.probes.find(core.tokens.hash(token));
  if (probe) return () => createProbeServer(probe, options.version);
  const identify = identifierFor(core, hello, options.adopted);
  return () => createMcpServer(options, { identify, onDelivery });
}

function notifyToolsChanged(servers: ReadonlySet<Server>, log: Core["log"]): void {
  for (const server of servers) {
    server.sendToolListChanged().catch((error: unknown) => {
      log.debug("A client could not be notified of changed tools.", { error: String(error) });
    });
  }
}

/** Back-pressure: stop reading from a client that does not read our answers; it may be suspended. */
function applyBackPressure(socket: Socket): void {
  socket.on("data", () => {
    if (socket.writableLength <= MAX_UNREAD_BYTES) return;
    socket.pause();
    socket.once("drain", () => socket.resume());
  });
}

/**
 * An agent's token identifies the agent; without one, a descendant process of a live agent is that
 * agent. Only then a person's token counts, so an agent that finds one does not become a person.
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
    return () => requireAgentByToken(core, tokenHash);
  }
  let parent: Promise<AgentId | undefined> | undefined;
  // Only success is cached: the lookup fails while the process has no free file descriptor.
  async function findParent(): Promise<AgentId | undefined> {
    parent ??= adopted.then(() => core.supervisor.agentOfProcess(hello.pid));
    try {
      return await parent;
    } catch (error) {
      parent = undefined;
      throw error;
    }
  }
  // Started at once, while the process surely exists; errors surface in the call that needs it.
  findParent().catch(() => {});
  return async () => {
    const agentId = await findParent();
    if (agentId !== undefined) return identifyByAgent(core, agentId);
    const { cwd, keys } = hello;
    const { chosenLocale, locale: own } = core.settings;
    const context = { cwd, keys, locale: chosenLocale ?? hello.locale ?? own };
    if (personToken === undefined) return { kind: "client", ...context };
    return { kind: "person", person: requirePersonByToken(core, personToken), ...context };
  };
}
