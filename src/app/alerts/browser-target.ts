import type { Events } from "../events.ts";
import type { AlertTarget } from "../ports/alert-target.ts";
import type { Clock } from "../ports/world.ts";

/** Hands alerts to the dashboards that are open; a dashboard that opens later reads the rows. */
export function createBrowserTarget(events: Pick<Events, "emit">, clock: Clock): AlertTarget {
  return {
    async send(_address, { id, alerts, isTest }) {
      events.emit({
        type: "alert:raised",
        groupId: null,
        agentId: null,
        data: {
          messageId: id,
          isTest,
          alerts: alerts.map((alert) => ({
            alertId: alert.id,
            kind: alert.kind,
            title: alert.title,
            detail: alert.detail,
            recipients: alert.recipients,
            approvalId: alert.approvalId,
            path: alert.path,
          })),
        },
        at: clock.now(),
      });
      return { isSent: true };
    },
  };
}
