import { onTestFinished } from "vitest";
import { createPrometheusPage } from "../../src/adapters/telemetry/prometheus-page.ts";
import type { Core } from "../../src/app/core.ts";
import { socketOf } from "../../src/doors/http/connection-of.ts";
import { createHttpApp } from "../../src/doors/http/create-http-app.ts";
import { createHttpServer } from "../../src/doors/http/http-server.ts";
import { createAuthenticator } from "../../src/doors/http/identify-request.ts";
import {
  createLiveDoor,
  type LiveDoor,
  type LiveDoorOptions,
} from "../../src/doors/http/live/live-door.ts";
import type { ConnectionLimit } from "../../src/doors/limit-connections.ts";
import type { AnyTool } from "../../src/doors/mcp/define-tool.ts";
import { createHttpMcp } from "../../src/doors/mcp/http-mcp.ts";
import { NOON } from "./builders.ts";

export type HttpDoor = { readonly url: string; readonly live: LiveDoor; close(): Promise<void> };

/** REST and the WebSocket of a core, on a real port. */
export async function anHttpDoor(
  core: Core,
  over: Partial<LiveDoorOptions> & {
    readonly tools?: readonly AnyTool[];
    readonly connections?: ConnectionLimit;
  } = {},
): Promise<HttpDoor> {
  const {
    allowedHostnames = ["localhost", "127.0.0.1", "[::1]"],
    allowedOrigins = [],
    tools = [],
    connections,
  } = over;
  const authenticator = createAuthenticator({
    core,
    instance: "test",
    onKnown: (socket, owner) => connections?.trust(socket, owner),
  });
  const mcp = createHttpMcp({
    core,
    tools: async () => tools,
    version: "1.2.3",
    onKnown(request, owner) {
      const socket = socketOf(request);
      if (socket) connections?.trust(socket, owner);
    },
    wrongToken: (request, refusal) =>
      authenticator.wrongTokens.refuse(
        { address: authenticator.addressOf(request), at: "request" },
        refusal,
      ),
  });
  const app = createHttpApp({
    webFolder: "/nowhere",
    metrics: {
      openPage: async () => createPrometheusPage(),
      dashboards: () => live.clientCount(),
    },
    onSignedOut: () => live.peopleChanged(),
    allowedHostnames,
    allowedOrigins,
    core,
    authenticator,
    mcp,
    snippet: "{}",
    status: async () => ({
      pid: 1,
      version: "1.2.3",
      url: null,
      dataDir: "/data",
      configPath: null,
      startedAt: new Date(NOON).toISOString(),
      agents: await core.store.countByProcess(),
      tasks: { unfinished: 0, approvals: await core.store.countPendingApprovals() },
      clients: 0,
    }),
  });
  const server = createHttpServer({ answer: app.fetch, ...(connections && { connections }) });
  const live = createLiveDoor({
    core,
    authenticator,
    allowedHostnames,
    allowedOrigins,
    isOver: (socket) => connections?.isOver(socket) ?? false,
    ...over,
  });
  server.on("upgrade", live.upgrade);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    live.close();
    await mcp.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  const closeOnce = () => (closing ??= close());
  onTestFinished(closeOnce);
  return { url: `http://127.0.0.1:${port}`, live, close: closeOnce };
}
