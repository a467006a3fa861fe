import { expect, test } from "vitest";
import { anAgent } from "../../../test/kit/builders.ts";
import { aCore, someProgress } from "../../../test/kit/core.ts";
import { statusUpdate } from "./status-update.ts";

const AT = Date.UTC(2026, 10, 15, 9);

test("an update carries the current tool, what the last one answered and when the prompt was taken", async () => {
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

test("an update without a tool says so, so that a finished one does not stay on a dashboard", async () => {
  const core = await aCore();

  const { data } = statusUpdate(core, anAgent(), someProgress());

  expect(data).toMatchObject({ currentTool: null, lastTool: null });
});
