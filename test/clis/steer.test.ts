import { describe, expect, test, vi } from "vitest";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { anHttpClient } from "../kit/daemon.ts";
import { aScene, inOrder, needs, report } from "./kit.ts";

describe.each(["claude", "codex"] as const)("%s", (cli) => {
  needs(cli);

  test("a message reaches the model right after the tool that runs", async () => {
    const scene = await aScene(
      cli,
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
