import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { NOTIFICATION_LINE } from "../../src/domain/notifications/notification.ts";
import { until } from "../kit/daemon.ts";
import type { Action, Turn } from "../kit/mock-llm/script.ts";
import { DRIVERS } from "./drivers.ts";
import { anExecution, executorOf, obedient } from "./executor.ts";
import { needs } from "./kit.ts";

/** Works without an end: one short call after the other. Gemini stops a model that repeats itself. */
async function busy({ results }: Turn): Promise<readonly Action[]> {
  await sleep(300);
  const message = `call ${results.length}`;
  return [{ call: "report_progress", input: { stepId: "step-1", message } }];
}

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("an obedient executor reports within 5 s of `blocked`", async () => {
    const { story, llm, taskId, isOver } = await anExecution(driver, { work: obedient(busy) });
    await until(() => llm.turns.some(({ results }) => results.length > 0));

    await story.change(taskId, "blocked");

    const task = await isOver("blocked");
    const executor = task.agents.find(({ agentId }) => agentId === executorOf(task));
    // The deadline is 5 s: an executor that is later is cancelled.
    expect(executor?.status).toBe("resultReported");
    expect(task.notifications).toMatchObject([{ type: "blocked", status: "cleared" }]);
  });

  test("a disobedient executor is refused each time and ended at the deadline", async () => {
    let isBlocked = false;
    const { story, llm, taskId, isOver } = await anExecution(driver, {
      work: async (turn) => {
        if (!isBlocked) return busy(turn);
        await sleep(300);
        return [{ call: "write_note", input: { text: `try ${turn.results.length}` } }];
      },
    });
    await until(() => llm.turns.some(({ results }) => results.length > 0));

    await story.change(taskId, "blocked");
    isBlocked = true;

    const task = await isOver("blocked");
    expect(task.agents.find(({ agentId }) => agentId === executorOf(task))?.status).toBe(
      "cancelled",
    );
    const tries = llm.turns.at(-1)?.results.filter(({ tool }) => tool === "write_note") ?? [];
    expect(tries.length).toBeGreaterThan(1);
    for (const { text } of tries) expect(text).toContain("STOP_REQUESTED");
    expect(story.notes()).toEqual([]);
  });

  test("an executor that sits in a long shell is ended at the deadline", async () => {
    const { story, directory, taskId, isOver } = await anExecution(driver, {
      work: (_, scene) => [{ shell: `touch '${scene.directory}/began'; sleep 900` }],
    });
    await until(() => existsSync(`${directory}/began`));

    await story.change(taskId, "blocked");

    const task = await isOver("blocked");
    expect(task.agents.find(({ agentId }) => agentId === executorOf(task))?.status).toBe(
      "cancelled",
    );
  });

  test("a call that is held for a person is released by `blocked`, with the notification", async () => {
    const { story, llm, taskId, isOver } = await anExecution(driver, {
      directives: ["check step-2"],
      work: obedient(() => [{ call: "write_note", input: { text: "やあ" } }]),
    });
    await story.pending(taskId, "step");

    await story.change(taskId, "blocked");

    const task = await isOver("blocked");
    expect(task.agents.find(({ agentId }) => agentId === executorOf(task))?.status).toBe(
      "resultReported",
    );
    const seen = llm.turns.flatMap(({ results }) => results);
    expect(seen.find(({ tool }) => tool === "write_note")?.text).toContain(NOTIFICATION_LINE);
    expect(story.notes()).toEqual([]);
  });
});
