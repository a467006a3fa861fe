import { homedir } from "node:os";
import { dirname } from "node:path";
import { alertSettingsOf } from "../../adapters/config/alert-settings.ts";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { taskSettingsOf } from "../../adapters/config/task-settings.ts";
import type { Settings } from "../../app/core.ts";
import { workspaceSettingsOf } from "./workspace-settings.ts";

/** The part of the configuration that use cases read. */
export function settingsOf(loaded: LoadedConfig): Settings {
  const { config } = loaded;
  const { agent } = config;
  return {
    runner: agent.runner,
    rehearseWithoutCli: agent.rehearseWithoutCli,
    maxConcurrent: agent.maxConcurrent,
    maxOrchestrators: agent.maxOrchestrators,
    maxQueued: agent.maxQueued,
    labelLimits: agent.limits,
    defaultTimeoutMs: agent.defaultTimeout_ms ?? null,
    lingerMs: agent.lingerAfterEnd_ms,
    bounds: {
      maxRetries: agent.maxRetries,
      maxRetryTimeMs: agent.maxRetryTime_ms,
      maxEvents: agent.maxEvents,
      maxToolCalls: agent.maxToolCalls,
    },
    connectWithinMs: agent.connectWithin_ms,
    healthCheck: {
      enabled: config.healthCheck.enabled,
      cacheTtlMs: config.healthCheck.cacheTtl_ms,
      timeoutMs: config.healthCheck.timeout_ms,
      concurrency: config.healthCheck.concurrency,
    },
    prices: config.prices,
    hasSlack: loaded.slack.kind === "on",
    slackInstallUrl: slackInstallUrl(loaded),
    homeDirectory: homeOf(loaded),
    locale: config.locale,
    chosenLocale: loaded.chosenLocale,
    tasks: taskSettingsOf(config.tasks),
    alerts: alertSettingsOf(config),
    workspace: workspaceSettingsOf(config.workspace, {
      home: homeOf(loaded),
      dataDir: loaded.dataDir,
    }),
    interrupt: { hardStopAfterMs: config.interrupt.hardStopAfter_ms },
  };
}

function slackInstallUrl({ slack, config }: LoadedConfig): string | null {
  const { publicUrl } = config.slack;
  const mayInstall = slack.kind === "on" && slack.secrets.client && publicUrl !== undefined;
  return mayInstall ? `${publicUrl}/slack/install` : null;
}

/** Relative paths in the configuration start here. */
export function homeOf({ path }: LoadedConfig): string {
  return path === null ? homedir() : dirname(path);
}

const BYTES_PER_MB = 1_048_576;

/** `maxOutput_mb` is the newer name of `maxSpool_bytes`; a file that has only the old one keeps it. */
export function maxOutputBytes({ maxOutput_mb, maxSpool_bytes }: LoadedConfig["config"]["agent"]) {
  if (maxOutput_mb === undefined) return maxSpool_bytes;
  return maxOutput_mb === 0 ? Infinity : maxOutput_mb * BYTES_PER_MB;
}
