import type { Core } from "../../../app/core.ts";
import * as contract from "../../../contract/routes/daemon.ts";
import { wirePolicy } from "../../../contract/shapes/approvals.ts";
import type { WireSettings } from "../../../contract/shapes/settings.ts";
import { defineRoute } from "../define-route.ts";

export const getSettings = defineRoute(contract.getSettings, {
  run: async (core) => wireSettings(core),
});

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
      },
      approvalExpiry_ms: tasks.approvalExpiryMs,
      remindAfter_ms: tasks.remindAfterMs,
    },
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
