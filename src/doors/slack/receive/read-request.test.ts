import { expect, test } from "vitest";
import { readRequest } from "./read-request.ts";

const OWN = { team_id: "T1", enterprise_id: "E1" };

function mentionBy(userTeam: string) {
  return {
    type: "event_callback",
    team_id: "T1",
    authorizations: [OWN],
    event: { type: "app_mention", user: "U1", user_team: userTeam, channel: "C1", ts: "1.0" },
  };
}

function clickBy(userTeam: string) {
  return {
    type: "block_actions",
    team: { id: "T1" },
    enterprise: { id: "E1" },
    user: { id: "U1", team_id: userTeam },
    actions: [{ action_id: "approve_prompt", action_ts: "1.0" }],
  };
}

test.each([mentionBy, clickBy])("a user of our own organization is at home: %o", (by) => {
  expect(readRequest(by("T1"))).toMatchObject({ team: "T1", userTeam: "T1" });
  expect(readRequest(by("E1"))).toMatchObject({ team: "T1", userTeam: "T1" });
  expect(readRequest(by("E2"))).toMatchObject({ team: "T1", userTeam: "E2" });
  expect(readRequest(by("T2"))).toMatchObject({ team: "T1", userTeam: "T2" });
});
