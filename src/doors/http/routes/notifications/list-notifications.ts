import * as contract from "../../../../contract/routes/notifications.ts";
import { wireNotification } from "../../../../contract/shapes/notifications.ts";
import { defineRoute } from "../../define-route.ts";

export const listNotifications = defineRoute(contract.listNotifications, {
  async run(core, { query }) {
    const found = await core.store.listNotifications(query.agentId, query.limit);
    return { notifications: found.map(wireNotification) };
  },
});
