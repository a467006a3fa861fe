import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Turn } from "../kit/mock-llm/script.ts";
import { DRIVERS } from "./drivers.ts";
import {
  agentIdOf,
  aScene,
  inOrder,
  needs,
  report,
  runAgents,
  tokensOf,
  type Scene,
} from "./kit.ts";

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("a prompt of 300 kB reaches the model whole", async () => {
    const prompt = `begin ${"long ".repeat(60_000)} end of the prompt`;
    const scene = await aScene(driver, (turn) => inOrder(() => [report(turn)])(turn));

    const agents = await runAgents(scene, [{ prompt }]);

    expect(scene.llm.turns[0]?.users.some((text) => text.includes(prompt))).toBe(true);
    expect(agents).toMatchObject([{ result: { status: "success" } }]);
  });

  test("four at once on one home each write their own file and report", async () => {
    const fileOf = (turn: Turn) => `${scene.directory}/${agentIdOf(turn)}.txt`;
    const scene: Scene = await aScene(driver, (turn) =>
      inOrder(
        () => [{ write: fileOf(turn), content: agentIdOf(turn) }],
        () => [report(turn, `I am ${agentIdOf(turn)}.`)],
      )(turn),
    );

    const agents = await runAgents(scene, [{}, {}, {}, {}]);

    expect(agents).toHaveLength(4);
    for (const { agentId, result } of agents) {
      const file = `${scene.directory}/${agentId}.txt`;
      expect(readFileSync(file, "utf8").trim()).toBe(agentId);
      expect(result).toMatchObject({
        status: "success",
        summary: `I am ${agentId}.`,
        createdFiles: [file],
      });
      expect(result.usage).toEqual(tokensOf(driver, scene.llm.answers / 4));
    }
  });
});
