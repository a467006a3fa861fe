import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { systemRandom } from "../../adapters/world.ts";
import type { AllowedNames } from "../../doors/http/guard.ts";
import type { Authenticator } from "../../doors/http/identify-request.ts";
import type { McpDoorOptions } from "../../doors/mcp/create-mcp-server.ts";
import type { WorkerDoor } from "../../doors/workers/worker-door.ts";
import type { Composed } from "./compose.ts";
import { readOnlyTools } from "./servers.ts";
import { maxOutputBytes } from "./settings-of.ts";

/** Another process of the same server has another one. */
const PROCESS = systemRandom.hex(8);

export type WorkerDoorParts = AllowedNames & {
  readonly authenticator: Authenticator;
  readonly mcpOptions: McpDoorOptions;
};

/** Loads what talks to workers only where the database can have some. */
export async function openWorkerDoor(
  composed: Composed,
  loaded: LoadedConfig,
  { mcpOptions, ...parts }: WorkerDoorParts,
): Promise<WorkerDoor | undefined> {
  const { core, sessions } = composed;
  const { workers, serverId } = core;
  const { transcripts } = composed;
  if (!workers || !transcripts || serverId === null) return undefined;
  const { createWorkerDoor } = await import("../../doors/workers/worker-door.ts");
  const { createRemoteWorker } = await import("../../adapters/workers/remote-worker.ts");
  const { serveRelayed } = await import("../../doors/mcp/relay-door.ts");
  const leaseMs = loaded.config.store.lease_ms;
  return createWorkerDoor({
    ...parts,
    core,
    workers,
    transcripts,
    serverId,
    serverProcess: PROCESS,
    leaseMs,
    sessions,
    isReadOnly: readOnlyTools(loaded),
    settings() {
      const { agent } = composed.config();
      return {
        hardKillAfterMs: agent.hardKillAfter_ms,
        maxOutputBytes: maxOutputBytes(agent),
        variables: agent.env,
        acpCommand: agent.acpCommand,
      };
    },
    createRemote: (options) => createRemoteWorker({ ...options, leaseMs, log: core.log }),
    serveRelayed: (ofWorker, stream, link) =>
      serveRelayed({ ...mcpOptions, core: ofWorker }, stream, link),
  });
}
