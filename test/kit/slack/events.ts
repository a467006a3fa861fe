import type { Fields } from "../../../src/base/narrow.ts";
import type { Backend } from "./backend.ts";
import type { Answer, Delivery } from "./delivery.ts";
import type { SlackUser } from "./shapes.ts";
import { anId } from "./world.ts";

/** The envelope of the Events API around an event. */
export function eventDelivery(
  { app, team }: Pick<Backend, "app" | "team">,
  user: Pick<SlackUser, "teamId"> | undefined,
  event: Fields,
): Delivery {
  const isShared = user !== undefined && user.teamId !== team.id;
  return {
    kind: "events_api",
    payload: {
      token: "verification",
      team_id: team.id,
      context_team_id: team.id,
      context_enterprise_id: null,
      api_app_id: app.id,
      event,
      type: "event_callback",
      event_id: anId("Ev"),
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: team.id,
          user_id: team.botUserId,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: isShared,
    },
  };
}

/** The app has not subscribed to the event, so Slack sends nothing. */
export function notSubscribed(delivery: Delivery): Answer {
  const attempt = { isAcked: false, ms: 0, payload: {}, reason: "not_subscribed" };
  return { ...attempt, delivery, attempts: [] };
}
