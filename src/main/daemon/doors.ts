import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import type { Log } from "../../app/ports/world.ts";
import type { DaemonStatus } from "../../contract/hello.ts";
import { messageIn } from "../../domain/spoken-error.ts";
import { requireFreePort, type ListenOptions } from "../../doors/http/listen.ts";
import type { McpDoorOptions } from "../../doors/mcp/create-mcp-server.ts";
import { createSocketDoor } from "../../doors/mcp/socket-door.ts";
import { VERSION } from "../version.ts";
import type { Composed } from "./compose.ts";
import { connectionLimits } from "./connection-limits.ts";
import { openSocket } from "./open-socket.ts";
import { openWorkerDoor } from "./workers.ts";

/** How long the start waits for the client that started the daemon, so that it is served first. */
const FIRST_CLIENT_MS = 200;

export type WantedPort = Omit<ListenOptions, "host">;

export type OpenDoors = {
  readonly composed: Composed;
  readonly loaded: LoadedConfig;
  readonly log: Log;
  readonly socketPath: string;
  readonly status: () => Promise<DaemonStatus>;
  readonly stop: () => void;
  readonly stopAgents: () => Promise<void>;
  /** Reads the configuration again and returns what needs a restart; rejects if it is wrong. */
  readonly reload: () => Promise<readonly string[]>;
  readonly adopted: Promise<void>;
  readonly port: WantedPort;
  /** False while the daemon starts or stops. */
  readonly isStarted: () => boolean;
  readonly conformance: boolean;
  /** Started by a shim, whose client is waiting for its first answer. */
  readonly background: boolean;
};

export type Doors = {
  url(): string | null;
  mcpUrl(): string | null;
  clientCount(): number;
  toolsChanged(): void;
  close(): Promise<void>;
};

type Tools = Awaited<ReturnType<McpDoorOptions["tools"]>>;
let tools: Tools | undefined;
/** Loaded with the first request. Only success is cached: a failure (EMFILE) may be temporary. */
const loadTools = async (): Promise<Tools> =>
  (tools ??= (await import("../../doors/mcp/tools.ts")).TOOLS);

/** Opens the socket first, so that stdio clients do not wait for HTTP, which takes longer to load. */
export async function openDoors(options: OpenDoors): Promise<Doors> {
  const { composed, loaded, log, socketPath, status, port } = options;
  const { core } = composed;
  const extras = options.conformance
    ? (await import("../../doors/mcp/conformance/extras.ts")).conformanceExtras
    : undefined;
  const mcpOptions = { core, tools: loadTools, version: VERSION, ...(extras && { extras }) };

  const limits = connectionLimits();
  const socketDoor = createSocketDoor({
    ...mcpOptions,
    maxConnections: limits.socket,
    adopted: options.adopted,
    async control(command) {
      if (command === "reload") {
        const reloaded = await options.reload().then(
          (waitingForRestart) => ({ notReloaded: null, waitingForRestart }),
          (error: unknown) => ({
            notReloaded: messageIn(error, core.settings.locale),
          }),
        );
        return { ...(await status()), ...reloaded };
      }
      const answer = await status();
      if (command === "stop-agents") await options.stopAgents();
      if (command !== "status") options.stop();
      return answer;
    },
  });
  await requireFreePort({ host: loaded.bind, ...port });
  const socket = await openSocket(socketDoor, socketPath, log);
  if (options.background) await socketDoor.firstClient(FIRST_CLIENT_MS);
  try {
    const { openHttpDoor } = await import("./http-door.ts");
    const slackSettings = () => composed.config().slack;
    const http = await openHttpDoor({
      mcpOptions,
      loaded,
      status,
      port,
      limits,
      slackSettings,
      isStarted: options.isStarted,
      openWorkerDoor: (parts) => openWorkerDoor(composed, loaded, parts),
    });
    if (http.slackAlerts) composed.addAlertTarget("slack", http.slackAlerts);
    return {
      url: () => http.origin,
      mcpUrl: () => `${http.origin}/mcp`,
      clientCount: () => socketDoor.clientCount() + http.clientCount(),
      toolsChanged() {
        socketDoor.toolsChanged();
        http.configChanged();
      },
      async close() {
        await socket.close();
        await http.close();
      },
    };
  } catch (error) {
    await socket.close();
    throw error;
  }
}
