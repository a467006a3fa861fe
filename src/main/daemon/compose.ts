import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import type { SpoolShipper } from "../../adapters/supervisor/spool/ship-spool.ts";
import type { Core } from "../../app/core.ts";
import { watchUpstream } from "../../app/gateway/pin-tools.ts";
import { startJobs } from "../../app/jobs/start-jobs.ts";
import { auditTrust } from "../../app/people/audit-trust.ts";
import type { AlertTarget } from "../../app/ports/alert-target.ts";
import type { Servers } from "../../app/ports/servers.ts";
import type { Transcripts } from "../../app/ports/transcripts.ts";
import { reactToEvents } from "../../app/react-to-events.ts";
import type { LeaderTerm } from "../../app/servers/leadership.ts";
import type { SharedClock } from "../../app/servers/shared-clock.ts";
import { recordTelemetry } from "../../app/telemetry/record-telemetry.ts";
import type { WorkerSessions } from "../../app/workers/worker-sessions.ts";
import { createAlertTargets } from "./alert-targets.ts";
import { changedSettings } from "./changed-settings.ts";
import type { Compose } from "./compose-options.ts";
import { createCore } from "./create-core.ts";
import { createParts } from "./create-parts.ts";
import { createCurrentConfig } from "./current-config.ts";
import { refuseReload } from "./refuse-reload.ts";
import { warnOfConfig } from "./warn-of-config.ts";

export type Composed = {
  readonly core: Core;
  /** Undefined: this daemon has its database for itself. */
  readonly servers: Servers | undefined;
  /** Undefined like `servers`. */
  readonly term: LeaderTerm | undefined;
  /** Undefined like `servers`. */
  readonly sharedClock: SharedClock | undefined;
  readonly sessions: WorkerSessions;
  /** Undefined like `servers`. */
  readonly transcripts: Transcripts | undefined;
  /** Undefined like `servers`. */
  readonly shipper: SpoolShipper | undefined;
  /** The newest configuration. */
  config(): LoadedConfig["config"];
  /** Loads the configuration again; rejects, and changes nothing, if it is wrong. */
  reload(): Promise<void>;
  /** Settings that have changed in the file and are used from the next start on. */
  waitingForRestart(): readonly string[];
  addAlertTarget(kind: string, target: AlertTarget): void;
  /** Connects to the upstream servers in the background. */
  startGateway(): void;
  /** Before this call agents are queued and not started. */
  startDispatching(): void;
  /** Starts no further agent; running agents go on. */
  stopDispatching(): Promise<void>;
  close(): Promise<void>;
};

/** Events that change the list of tools of an agent. */
const TOOL_LIST_EVENTS = ["gateway:tools_changed", "gateway:tool_accepted"] as const;

/** Where adapters and doors meet: builds the one Core. */
export async function compose(options: Compose): Promise<Composed> {
  const { loaded, log } = options;
  const current = createCurrentConfig(loaded);
  warnOfConfig(log, loaded);
  const parts = await createParts(options, () => core);
  const { dispatcher, advancer, upstream } = parts;
  const alertTargets = createAlertTargets(parts, current);
  const core = createCore(options, { current, parts, alertTargets, reload });
  async function reload(): Promise<void> {
    const next = await options.reloadConfig();
    refuseReload(current.latest(), next);
    await auditTrust(core, next.trust);
    current.use(next);
    upstream.replace(next.config.mcpServers);
    warnOfConfig(log, next);
    options.toolsChanged();
    core.dispatchSoon();
  }
  await auditTrust(core, loaded.trust);
  const stopReacting = reactToEvents(core);
  const stopJobs = startJobs(core);
  const stopRecording = parts.telemetry && recordTelemetry(core, parts.telemetry);
  const stopWatching: (() => void)[] = [];
  return {
    core,
    servers: parts.servers,
    term: parts.term,
    sharedClock: parts.sharedClock,
    sessions: parts.sessions,
    transcripts: parts.transcripts,
    shipper: parts.shipper,
    config: () => current.latest().config,
    reload,
    addAlertTarget: (kind, target) => void alertTargets.set(kind, target),
    waitingForRestart: () => changedSettings(loaded.config, current.latest().config),
    startGateway() {
      stopWatching.push(
        core.events.on(TOOL_LIST_EVENTS, () => options.toolsChanged()),
        watchUpstream(core),
      );
      upstream.start();
    },
    startDispatching() {
      dispatcher.open();
      parts.mergeQueue.open();
    },
    stopDispatching: () => dispatcher.pause(),
    async close() {
      stopReacting();
      await stopJobs();
      stopRecording?.();
      // The last metrics read the store, so it is closed after them.
      const telemetryClosed = parts.telemetry?.close();
      await core.health.close();
      parts.deadlines.close();
      await advancer.close();
      for (const stop of stopWatching) stop();
      const disconnected = upstream.close();
      // A dispatch under way may be waiting for the launcher, which only the supervisor can end.
      const dispatched = dispatcher.close();
      await parts.provisioning.close();
      await parts.mergeQueue.close();
      await parts.supervisor.close();
      await dispatched;
      await disconnected;
      await telemetryClosed;
      await parts.shared?.close();
      await parts.workers?.close();
      await parts.transcripts?.close();
      await parts.auditAnchor.close();
      await parts.store.close();
    },
  };
}
