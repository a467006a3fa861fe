import type { AlertSettings } from "../../app/core.ts";
import type { Config } from "../../contract/config/schema.ts";
import { WEEKDAYS } from "../../domain/alerts/quiet-hours.ts";

export function alertSettingsOf({ alerts, locale }: Config): AlertSettings {
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
