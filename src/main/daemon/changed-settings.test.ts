import { expect, test } from "vitest";
import { configSchema } from "../../contract/config.ts";
import { changedSettings } from "./changed-settings.ts";

test("only what is built in at the start waits for a restart, and only if it was changed", () => {
  const atStart = configSchema.parse({});
  const now = configSchema.parse({
    agent: { maxConcurrent: 3, env: ["EDITOR"] },
    dashboard: { port: 9797 },
    tasks: { approval: "not-requester" },
  });

  expect(changedSettings(atStart, now)).toEqual(["dashboard.port", "agent.env"]);
  expect(changedSettings(now, now)).toEqual([]);
});
