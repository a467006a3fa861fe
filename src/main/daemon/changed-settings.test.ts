import { expect, test } from "vitest";
import { configSchema } from "../../contract/config/schema.ts";
import { changedSettings } from "./changed-settings.ts";

test("changedSettings names a setting only if it is read at the start and has changed", () => {
  const atStart = configSchema.parse({});
  const now = configSchema.parse({
    agent: { maxConcurrent: 3, env: ["EDITOR"] },
    dashboard: { port: 9797 },
    store: { url: "postgres://kuro@127.0.0.1/kuro", connections: 5 },
    tasks: { approval: "not-requester" },
  });

  expect(changedSettings(atStart, now)).toEqual([
    "dashboard.port",
    "agent.env",
    "store.url",
    "store.connections",
  ]);
  expect(changedSettings(now, now)).toEqual([]);
});
