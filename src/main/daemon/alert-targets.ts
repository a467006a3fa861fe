import { createWebhookTarget } from "../../adapters/alerts/webhook-target.ts";
import { createBrowserTarget } from "../../app/alerts/browser-target.ts";
import type { Core } from "../../app/core.ts";
import type { AlertTarget } from "../../app/ports/alert-target.ts";
import { VERSION } from "../version.ts";
import type { CurrentConfig } from "./current-config.ts";

/** By the part of a target before the colon. */
export function createAlertTargets(
  { events, clock }: Pick<Core, "events" | "clock">,
  current: CurrentConfig,
) {
  const webhooks = () => current.latest().config.alerts.webhooks;
  return new Map<string, AlertTarget>([
    ["browser", createBrowserTarget(events, clock)],
    ["webhook", createWebhookTarget({ webhooks, variables: process.env, version: VERSION })],
  ]);
}
