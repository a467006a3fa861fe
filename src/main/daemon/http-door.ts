import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { placeOfUrl } from "../../adapters/store/database-url.ts";
import type { MetricsPage } from "../../app/ports/metrics.ts";
import { configMessages } from "../../app/roles/handle-config-message.ts";
import { viewModels } from "../../app/view-system.ts";
import type { Config } from "../../contract/config/schema.ts";
import type { DaemonStatus } from "../../contract/hello.ts";
import { socketOf } from "../../doors/http/connection-of.ts";
import { createHttpApp } from "../../doors/http/create-http-app.ts";
import { findPortOwner } from "../../doors/http/find-port-owner.ts";
import { createHttpServer } from "../../doors/http/http-server.ts";
import { createAuthenticator } from "../../doors/http/identify-request.ts";
import { listen, type ListenOptions } from "../../doors/http/listen.ts";
import { createLiveDoor, type LiveDoor } from "../../doors/http/live/live-door.ts";
import { wireHealth } from "../../doors/http/routes/health/health.ts";
import { limitConnections } from "../../doors/limit-connections.ts";
import type { McpDoorOptions } from "../../doors/mcp/create-mcp-server.ts";
import { createHttpMcp } from "../../doors/mcp/http-mcp.ts";
import type { WorkerDoor } from "../../doors/workers/worker-door.ts";
import { webFolder } from "../entries.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { hostNames, hostInUrl, origins } from "./host-names.ts";
import { mcpSnippet } from "./mcp-snippet.ts";
import type { WorkerDoorParts } from "./workers.ts";

const LAST_ANSWERS_MS = 500;

export type OpenHttpDoor = {
  readonly mcpOptions: McpDoorOptions;
  readonly loaded: LoadedConfig;
  readonly status: () => Promise<DaemonStatus>;
  readonly port: Omit<ListenOptions, "host">;
  readonly limits: ConnectionLimits;
  readonly slackSettings: () => Config["slack"];
  /** False while the daemon starts or stops. */
  readonly isStarted: () => boolean;
  /** Resolves to undefined if this daemon can have no workers. */
  readonly openWorkerDoor: (parts: WorkerDoorParts) => Promise<WorkerDoor | undefined>;
};

/** REST, live events, `/mcp` and the dashboard, on one port. Loaded after the socket is open. */
export async function openHttpDoor(options: OpenHttpDoor) {
  const { mcpOptions, loaded, status, port: wanted, limits } = options;
  const { core } = mcpOptions;
  const connections = limitConnections({
    max: limits.http,
    onFull: () => core.log.warn("The limit of HTTP connections is reached; closing some.", limits),
  });
  const names = { allowedHostnames: hostNames(loaded), allowedOrigins: origins(loaded) };
  const authenticator = createAuthenticator({
    core,
    instance: instanceOf(loaded),
    trustedProxies: loaded.config.server.trustedProxies,
    onKnown: (socket, owner) => connections.trust(socket, owner),
  });
  const mcp = createHttpMcp({
    ...mcpOptions,
    onKnown(request, owner) {
      const socket = socketOf(request);
      if (socket) connections.trust(socket, owner);
    },
    wrongToken: (request, refusal) =>
      authenticator.wrongTokens.refuse(
        { address: authenticator.addressOf(request), at: "request" },
        refusal,
      ),
  });
  const slack = await openSlack(options);
  const app = createHttpApp({
    ...names,
    ...(slack && { serveSlack: (routes) => slack.serve(routes) }),
    core,
    authenticator,
    mcp,
    status,
    snippet: mcpSnippet(),
    webFolder: webFolder(),
    isStarted: options.isStarted,
    metrics: { openPage: openMetricsPage, dashboards: () => live.clientCount() },
    onSignedOut: () => live.peopleChanged(),
  });
  const http = createHttpServer({ answer: app.fetch, connections });
  const live = createLiveDoor({
    core,
    authenticator,
    ...names,
    availableModels: async () => [
      ...new Set((await viewModels(core)).flatMap(({ models }) => models)),
    ],
    health: async () => wireHealth(core),
    requests: configMessages(core),
    maxClients: limits.webSockets,
    isOver: (socket) => connections.isOver(socket),
  });
  const workers = await options.openWorkerDoor({ ...names, authenticator, mcpOptions });
  http.on("upgrade", (...request) => doorOf(request[0], workers, live).upgrade(...request));
  const stopFollowing = core.events.on(["person:signed_out"], () => void live.peopleChanged());
  const port = await listen(http, { host: loaded.bind, ...wanted });
  // Without a listener a failing accept (EMFILE) would end the daemon.
  http.on("error", (error) => core.log.warn("HTTP server error.", { error: String(error) }));

  await warnOfOtherPort(options, port);

  return {
    origin: `http://${urlHost(loaded.bind)}:${port}`,
    slackAlerts: slack?.alertTarget,
    // With Slack the daemon is never idle: a person may ask for something at any time.
    clientCount: () => mcp.sessionCount() + live.clientCount() + (slack ? 1 : 0),
    configChanged() {
      mcp.toolsChanged();
      void live.peopleChanged();
    },
    async close(): Promise<void> {
      stopFollowing();
      await slack?.close();
      workers?.close();
      await mcp.close();
      live.close();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      // The last answers are on their way; a client that does not read them must not keep us.
      const late = setTimeout(() => http.closeAllConnections(), LAST_ANSWERS_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

function doorOf(
  request: IncomingMessage,
  workers: WorkerDoor | undefined,
  live: LiveDoor,
): WorkerDoor | LiveDoor {
  return workers?.takes(request) ? workers : live;
}

async function warnOfOtherPort(options: OpenHttpDoor, port: number): Promise<void> {
  const { loaded, port: wanted, mcpOptions } = options;
  if (wanted.port === 0 || port === wanted.port) return;
  const holder = (await findPortOwner(loaded.bind, wanted.port)) ?? "another program";
  mcpOptions.core.log.warn(`Port ${wanted.port} is taken by ${holder}; using ${port}.`);
}

/** Loads what writes metrics only when a monitor asks for them. */
async function openMetricsPage(): Promise<MetricsPage> {
  const { createPrometheusPage } = await import("../../adapters/telemetry/prometheus-page.ts");
  return createPrometheusPage();
}

/** Loads what talks to Slack only when Slack is on. */
async function openSlack({ mcpOptions, loaded, slackSettings }: OpenHttpDoor) {
  if (loaded.slack.kind !== "on") return undefined;
  const { core } = mcpOptions;
  const slack = await import("./slack-door.ts");
  const open = () => slack.openSlack({ core, loaded, settings: slackSettings });
  if (core.serverId === null) return open();
  const { slackOfLeader } = await import("./leading-slack.ts");
  return slackOfLeader(core, open);
}

/**
 * Part of the name of the cookie: stable across restarts, different for each daemon of this host, and
 * equal for servers that share a database, because a browser may reach any of them.
 */
function instanceOf({ dataDir, config }: LoadedConfig): string {
  const { url } = config.store;
  const shared = url === undefined ? dataDir : `database ${placeOfUrl(url).split("/").at(-1)}`;
  return createHash("sha256").update(shared).digest("hex").slice(0, 12);
}

function urlHost(bind: string): string {
  if (bind === "0.0.0.0" || bind === "::") return "127.0.0.1";
  return hostInUrl(bind);
}
