import type { Core, WorkspaceSettings } from "../../../app/core.ts";
import * as contract from "../../../contract/routes/daemon.ts";
import { wirePolicy } from "../../../contract/shapes/approvals.ts";
import type { WireSettings } from "../../../contract/shapes/settings.ts";
import { defineRoute } from "../define-route.ts";

const BYTES_PER_MB = 1_048_576;

export const getSettings = defineRoute(contract.getSettings, {
  run: async (core) => wireSettings(core),
});

function wireWorkspaceSettings(workspace: WorkspaceSettings): WireSettings["workspace"] {
  const { isolation, base, setup, check, mergeMode, mergeTarget, maxTotalBytes } = workspace;
  return {
    isolation,
    base,
    hasSetup: setup !== null,
    hasCheck: check !== null,
    mergeMode,
    mergeTarget,
    maxTotal_mb: maxTotalBytes === null ? null : maxTotalBytes / BYTES_PER_MB,
    keepDecided_ms: workspace.keepDecidedMs,
    keepOpen_ms: workspace.keepOpenMs,
    keepRefs_ms: workspace.keepRefsMs,
  };
}

function wireSettings({ settings, people, editing }: Core): WireSettings {
  const { tasks, interrupt, alerts, locale, chosenLocale } = settings;
  const { approvals } = tasks;
  return {
    locale,
    chosenLocale,
    configPath: editing?.configFile.path ?? null,
    tasks: {
      maxRegenerations: tasks.maxRegenerations,
      holdFor_ms: tasks.holdForMs,
      unplannedTools: tasks.unplannedTools,
      approvals: {
        prompt: wirePolicy(approvals.prompt),
        process: wirePolicy(approvals.process),
        step: wirePolicy(approvals.step),
        unplanned_tool: wirePolicy(approvals.unplanned_tool),
        call: wirePolicy(approvals.call),
        question: wirePolicy(approvals.question),
        outcome: wirePolicy(approvals.outcome),
        merge: wirePolicy(approvals.merge),
      },
      approvalExpiry_ms: tasks.approvalExpiryMs,
      remindAfter_ms: tasks.remindAfterMs,
    },
    workspace: wireWorkspaceSettings(settings.workspace),
    interrupt: { hardStopAfter_ms: interrupt.hardStopAfterMs || null },
    alerts: {
      rules: alerts.rules.map(({ digestMs, quietHours, ...rule }) => ({
        ...rule,
        quietHours: quietHours.map((hours) => ({ ...hours, timeZone: hours.timeZone ?? null })),
        digest_ms: digestMs,
      })),
    },
    people: people.list().map(({ id, name, role }) => ({ id, name, role })),
  };
}
