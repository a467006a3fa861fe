import { describe, expect, test } from "vitest";
import type { Action, Turn } from "../kit/mock-llm/script.ts";
import { castOf, writesOf } from "../kit/story.ts";
import { DRIVERS } from "./drivers.ts";
import { agentIdOf, aScene, inOrder, needs } from "./kit.ts";

const DRAFTS: Readonly<Record<string, unknown>> = {
  "task-analyst": {
    title: "Write a note",
    description: "One note has to be written.",
    priority: "medium",
    type: "notes",
  },
  planner: { content: "Look at the notes, then write one." },
  "process-designer": {
    steps: [
      { title: "Look at the notes", tool: "notes/list_notes", requiresHumanCheck: false },
      { title: "Write the note", tool: "notes/write_note", requiresHumanCheck: false },
    ],
  },
};

function model(turn: Turn): readonly Action[] {
  const role = /Role: ([\w-]+)/.exec(turn.users.join("\n"))?.[1] ?? "";
  if (role === "executor") return execute(turn);
  const response = JSON.stringify(DRAFTS[role]);
  const input = { agentId: agentIdOf(turn), status: "success", summary: "A draft.", response };
  return inOrder(() => [{ call: "report_result", input }])(turn);
}

const execute = inOrder(
  () => [{ call: "report_progress", input: { stepId: "step-1" } }],
  () => [{ call: "list_notes" }],
  () => [{ call: "report_progress", input: { stepId: "step-2" } }],
  () => [{ call: "write_note", input: { text: "やあ" } }],
  () => [{ call: "report_completed", input: { result: "success", summary: "It is written." } }],
);

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("a whole task is analysed, planned, designed and executed", async () => {
    const { story } = await aScene(driver, model);

    const taskId = await story.start("Please write a note.");

    const done = await story.reach(taskId, ({ status }) => status === "completed");
    expect(castOf(done)).toEqual({
      "task-analyst": 1,
      planner: 1,
      "process-designer": 1,
      executor: 1,
    });
    expect(done.executions.at(-1)?.steps.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(done.executions.at(-1)?.summary).toBe("It is written.");
    expect(writesOf(story)).toBe(1);
  });
});
