import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Action, Cli, Turn } from "../kit/mock-llm/script.ts";
import { lastAttempt } from "../kit/story.ts";
import { DRIVERS, HOW, type Driver } from "./drivers.ts";
import { anExecution, obedient } from "./executor.ts";
import { aScene, needs, report, runAgents, tokensOf, type Scene } from "./kit.ts";

/** Where the CLIs keep their conversations, below the home. */
const SESSIONS: Readonly<Record<Cli, string>> = {
  claude: ".claude/projects",
  codex: ".codex/sessions",
  gemini: ".gemini/tmp",
  opencode: ".local/share/opencode",
};

function forget(driver: Driver, { place }: Pick<Scene, "place">): void {
  rmSync(join(place.dir, SESSIONS[HOW[driver].cli]), { recursive: true });
}

/**
 * Over ACP Gemini 0.61.0 overwrites a conversation that it continues in the minute in which it began,
 * because the name of its file contains the minute.
 */
async function untilItCanContinue(driver: Driver): Promise<void> {
  if (driver === "gemini-acp") await sleep(60_000 - (Date.now() % 60_000));
}

const FIRST = "The first request.";
const SECOND = "The second request.";

/** Writes a file for each request and reports. */
function model(turn: Turn, { directory }: Scene): readonly Action[] {
  const isSecond = turn.users.some((text) => text.includes(SECOND));
  const file = `${directory}/${isSecond ? "second" : "first"}.txt`;
  const last = turn.results.at(-1);
  const hasWritten = turn.results.filter(({ tool }) => tool === "write").length;
  const hasReported = turn.results.filter(({ tool }) => tool === "report_result").length;
  if (last?.tool === "write") return [report(turn, isSecond ? "second" : "first")];
  const requests = Number(turn.users.some((text) => text.includes(FIRST))) + Number(isSecond);
  if (hasReported >= requests && hasWritten >= requests) return [{ say: "Goodbye." }];
  return [{ write: file, content: "one\n" }];
}

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("a continued conversation is known to the model, and its tokens are counted once", async () => {
    const scene: Scene = await aScene(driver, (turn) => model(turn, scene));
    const [first] = await runAgents(scene, [{ prompt: FIRST }]);
    const before = scene.llm.answers;
    await untilItCanContinue(driver);

    const again = { prompt: SECOND, resumeAgentId: first?.agentId ?? "" };
    const [second] = await runAgents(scene, [again]);

    const seen = scene.llm.turns.at(-1)?.users.join("\n");
    expect(seen).toContain(FIRST);
    expect(seen).toContain(SECOND);
    expect(first?.result.usage).toEqual(tokensOf(driver, before));
    expect(second).toMatchObject({
      status: "resultReported",
      result: {
        status: "success",
        createdFiles: [`${scene.directory}/second.txt`],
      },
    });
    expect(second?.result.usage).toEqual(tokensOf(driver, scene.llm.answers - before));
    expect(second?.result.warnings ?? []).toEqual([]);
  });

  test("a lost conversation is begun afresh, with a warning", async () => {
    const scene: Scene = await aScene(driver, (turn) => model(turn, scene));
    const [first] = await runAgents(scene, [{ prompt: FIRST }]);
    forget(driver, scene);

    const again = { prompt: SECOND, resumeAgentId: first?.agentId ?? "" };
    const [second] = await runAgents(scene, [again]);

    expect(second).toMatchObject({
      status: "resultReported",
      result: {
        status: "success",
        createdFiles: [`${scene.directory}/second.txt`],
        warnings: [expect.stringContaining("could not be continued")],
      },
    });
    expect(scene.llm.turns.at(-1)?.users.join("\n")).not.toContain(FIRST);
  });

  test("a session that is deleted between block and unblock does not stop the task", async () => {
    const { story, place, taskId, isOver } = await anExecution(driver, {
      directives: ["check step-2"],
      work: obedient(({ users, results }) => {
        const isDone = results.some(
          ({ tool, text }) => tool === "write_note" && /note-1/.test(text ?? ""),
        );
        if (isDone) return [{ call: "report_completed", input: { result: "success" } }];
        return [{ call: "write_note", input: { text: `attempt of ${users.length}` } }];
      }),
    });
    await story.pending(taskId, "step");
    await story.change(taskId, "blocked");
    await isOver("blocked");
    forget(driver, { place });

    await story.change(taskId, "in_progress");
    await story.decide(await story.pending(taskId, "step"));

    const done = await story.reach(taskId, ({ status }) => status === "completed");
    expect(lastAttempt(done).status).toBe("completed");
    expect(story.notes().filter(({ what }) => what === "wrote")).toHaveLength(1);
  });
});
