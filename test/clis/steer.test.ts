import { describe, expect, test, vi } from "vitest";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { anHttpClient } from "../kit/daemon.ts";
import { DRIVERS, type Driver } from "./drivers.ts";
import { aScene, inOrder, needs, report, unless } from "./kit.ts";

const ACP = "ACP has no input during a turn";
const CANNOT: Partial<Record<Driver, string>> = {
  gemini: "the CLI takes no input during a turn",
  opencode: "the CLI takes no input during a turn",
  "claude-acp": ACP,
  "codex-acp": ACP,
  "gemini-acp": ACP,
  "opencode-acp": ACP,
};

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("a message reaches the model right after the tool that runs", async (context) => {
    unless(context, CANNOT[driver]);
    const scene = await aScene(
      driver,
      inOrder(
        () => [{ shell: "sleep 6" }],
        (turn) => [report(turn)],
      ),
    );
    const client = await anHttpClient(scene.story.url());
    const [agentId = ""] = await runAll(client, await aGroup(client), [
      { workingDirectory: scene.directory },
    ]);
    await vi.waitUntil(() => scene.llm.turns.length === 1, { timeout: 60_000 });

    await client.call("send_message", { agentId, text: "Use tabs, please." });
    await waitForAll(client, [agentId]);

    // The model has called no tool of ours in between.
    expect(scene.llm.turns[1]?.results.map(({ tool }) => tool)).toEqual(["shell"]);
    expect(JSON.stringify(scene.llm.requests[1]?.body)).toContain("Use tabs, please.");
  });
});
