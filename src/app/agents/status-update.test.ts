import { expect, test } from "vitest";
import { anAgent } from "../../../test/kit/builders.ts";
import { aCore, someProgress } from "../../../test/kit/core.ts";
import { statusUpdate } from "./status-update.ts";

const AT = Date.UTC(2026, 10, 15, 9);

test("a status update has the current tool, the last tool's answer and the time the prompt was read", async () => {
  const core = await aCore();
  const { data } = statusUpdate(
    core,
    anAgent(),
    someProgress({
      promptSentAt: AT,
      openTools: [{ callId: "c", name: "shell", startedAt: AT }],
      lastTool: { name: "read", ok: true, output: "長".repeat(500), endedAt: AT },
    }),
  );

  expect(data).toMatchObject({
    promptSentAt: "2026-11-15T09:00:00.000Z",
    currentTool: { name: "shell", startedAt: "2026-11-15T09:00:00.000Z" },
    lastTool: { name: "read", ok: true, output: `${"長".repeat(280)}…` },
  });
});

test("a status update without a tool has null, so that dashboards remove a finished tool", async () => {
  const core = await aCore();

  const { data } = statusUpdate(core, anAgent(), someProgress());

  expect(data).toMatchObject({ currentTool: null, lastTool: null });
});
