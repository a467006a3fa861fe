import type { AlertSettings } from "../../app/core.ts";
import { WEEKDAYS } from "../../domain/alerts/quiet-hours.ts";
import type { CompleteConfig } from "./load-config.ts";

export function alertSettingsOf({ alerts, locale }: CompleteConfig): AlertSettings {
  return {
    locale: alerts.locale ?? locale,
    dashboardUrl: alerts.dashboardUrl ?? null,
    rules: alerts.rules.map((rule) => ({
      on: rule.on,
      to: rule.to,
      for: rule.for,
      quietHours: [rule.quietHours ?? []].flat().map(({ from, to, timeZone, days }) => ({
        from,
        to,
        timeZone,
        days: days ?? WEEKDAYS,
      })),
      digestMs: rule.digest_ms,
      urgent: rule.urgent,
    })),
  };
}
