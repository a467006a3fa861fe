import { describe, expect, test } from "vitest";
import { aDaemon, until } from "../kit/daemon.ts";
import { began } from "../kit/story.ts";
import { DRIVERS } from "./drivers.ts";
import { aScene, inOrder, needs, report, settleAgents, startAgents } from "./kit.ts";

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test.each([
    ["killed", "SIGKILL"],
    ["stopped", "SIGTERM"],
  ] as const)("the daemon is %s during an open call, and the agent reports", async (_, signal) => {
    const scene = await aScene(
      driver,
      (turn) =>
        inOrder(
          () => [{ call: "list_notes", input: { pauseMs: 60_000 } }],
          () => [report(turn)],
        )(turn),
      { config: { roles: [{ id: "impl-code", mcpServers: ["notes"] }] } },
    );
    const agentIds = await startAgents(scene);
    await until(() => began(scene.story, "list_notes"));

    await scene.story.end(signal);
    const { url } = await aDaemon(scene.place);

    const agents = await settleAgents(url, agentIds);
    expect(agents).toMatchObject([{ status: "resultReported", result: { status: "success" } }]);
    expect(scene.llm.turns.at(-1)?.results[0]?.text).toMatch(/DAEMON_RESTARTED|count/);
  });
});
