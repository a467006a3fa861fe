import { join } from "node:path";
import { createGit } from "../../adapters/git/create-git.ts";
import { openAuditAnchor, type FileAuditAnchor } from "../../adapters/store/audit-anchor.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import { createUpstream } from "../../adapters/upstream-mcp/upstream.ts";
import { systemClock } from "../../adapters/world.ts";
import { createDeadlines } from "../../app/agents/deadlines.ts";
import { createDispatcher } from "../../app/agents/dispatcher.ts";
import { recordObservations } from "../../app/agents/record-observations.ts";
import type { Core } from "../../app/core.ts";
import { createEvents } from "../../app/events.ts";
import { createMergeQueue } from "../../app/merges/merge-queue.ts";
import type { Observer } from "../../app/ports/supervisor.ts";
import { createTaskAdvancer } from "../../app/tasks/task-advancer.ts";
import { createWorkerSessions } from "../../app/workers/worker-sessions.ts";
import { createProvisioning } from "../../app/workspaces/provisioning.ts";
import { VERSION } from "../version.ts";
import type { Compose } from "./compose-options.ts";
import { createRunners } from "./create-runners.ts";
import { openSupervisor } from "./open-supervisor.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { openPlacedUpstream, openServersOf } from "./servers.ts";
import { homeOf } from "./settings-of.ts";

export type Parts = Awaited<ReturnType<typeof createParts>>;

/** Everything that is closed with the daemon. */
export async function createParts(options: Compose, core: () => Core) {
  const { loaded, log } = options;
  const { config, dataDir } = loaded;
  const runners = createRunners(config.agent);
  let auditAnchor: FileAuditAnchor | undefined;
  const store = await openStore({
    dataDir,
    settings: config.store,
    log,
    onCommit: () => auditAnchor?.soon(),
    onLost: options.storeLost,
  });
  const opened = await openServersOf(loaded, log);
  const clock = opened.sharedClock ?? systemClock;
  auditAnchor = openAuditAnchor({
    dataDir,
    clock,
    keyFile: process.env["KUROMAJUTSU_AUDIT_KEY_FILE"],
    log,
    store,
    mayCreate: true,
  });
  await auditAnchor.start();
  const local = createUpstream({
    servers: config.mcpServers,
    directory: homeOf(loaded),
    variables: process.env,
    version: VERSION,
    log,
  });
  const observe: Observer = (batch) => recordObservations(core(), batch);
  const supervisor = await openSupervisor({ loaded, runners, observe, log, ...opened });
  return {
    runners,
    store,
    sessions: createWorkerSessions(),
    ...opened,
    clock,
    events: createEvents({ store, log }),
    auditAnchor,
    dispatcher: createDispatcher(core),
    provisioning: createProvisioning(core),
    mergeQueue: createMergeQueue(core),
    git: createGit({ directory: join(dataDir, "git"), environment: process.env }),
    advancer: createTaskAdvancer(core),
    ...(await openPlacedUpstream(loaded, local, log)),
    deadlines: createDeadlines(clock),
    supervisor,
    telemetry: await openTelemetry(config.telemetry, log),
  };
}
