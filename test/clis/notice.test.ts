import { describe, expect, test } from "vitest";
import { NOTIFICATION_LINE } from "../../src/domain/notifications/notification.ts";
import { anHttpClient, until } from "../kit/daemon.ts";
import { STDIO_SERVER } from "../kit/upstream/an-upstream.ts";
import { DRIVERS } from "./drivers.ts";
import { anExecution } from "./executor.ts";
import { agentIdOf, aScene, inOrder, needs, report, runAgents, type Scene } from "./kit.ts";

const ODD = { command: process.execPath, args: [STDIO_SERVER], tools: {} };

async function sendMessage({ story }: Scene, agentId: string): Promise<void> {
  const { call } = await anHttpClient(story.url());
  await call("send_message", { agentId, text: "Please use British spelling." });
}

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("the model sees a notification on an answer of 300 kB", async () => {
    const scene: Scene = await aScene(
      driver,
      async (turn) => {
        if (turn.results.length === 0) await sendMessage(scene, agentIdOf(turn));
        return inOrder(
          () => [{ call: "huge", input: { mb: 0.3 } }],
          () => [{ call: "get_notifications" }],
          () => [report(turn)],
        )(turn);
      },
      { servers: { odd: ODD }, config: { roles: [{ id: "impl-code", mcpServers: ["odd"] }] } },
    );

    const agents = await runAgents(scene);

    const last = scene.llm.turns.at(-1);
    const [huge, notifications] = last?.results ?? [];
    // A CLI may show its model only the beginning of such an answer.
    expect(huge?.text).toMatch(/x{8}|truncated/);
    expect(huge?.text).toContain(NOTIFICATION_LINE);
    // A CLI that takes input during a turn may have shown the message to its model already.
    const seen = [...(last?.users ?? []), notifications?.text].join("\n");
    expect(seen).toContain("Please use British spelling.");
    expect(agents).toMatchObject([{ result: { status: "success" } }]);
  });

  test("the model sees that a person has rejected its call", async () => {
    const { story, llm, taskId } = await anExecution(driver, {
      directives: ["check step-2"],
      work: inOrder(
        () => [{ call: "write_note", input: { text: "やあ" } }],
        () => [{ call: "report_completed", input: { result: "failure" } }],
      ),
    });

    await story.decide(await story.pending(taskId, "step"), "reject", { reason: "Not today." });

    await until(() => llm.turns.some(({ results }) => results.length > 1));
    const [refused] = llm.turns.at(-1)?.results ?? [];
    expect(refused?.text).toContain("STEP_REJECTED");
    expect(refused?.text).toContain("Not today.");
  });
});
