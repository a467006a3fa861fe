import { expect, test } from "vitest";
import type { Execution } from "../../../src/domain/tasks/execution.ts";
import { anExecution, aProcessDraft, aPromptDraft, aTask, NOON } from "../../kit/builders.ts";
import { expectOneWinner, type Open } from "./kit.ts";

export function draftsAndExecutions(aStore: Open): void {
  test("drafts come back with every field, by version", async () => {
    const store = await aStore();
    const prompts = [
      aPromptDraft({ id: "prm-2", version: 2, content: "# 方針\n'; --", agentId: "planner-1-a" }),
      aPromptDraft({ id: "prm-10", version: 10 }),
      aPromptDraft({ id: "prm-1", version: 1 }),
    ];
    const delegated = { server: null, tool: "agent:code-review", requiresHumanCheck: true };
    const processes = [
      aProcessDraft({
        id: "prc-2",
        version: 2,
        agentId: "process-designer-1-a",
        steps: [{ ...delegated, id: "step-1", order: 1, title: "見る" }],
        createdAt: NOON + 1,
      }),
      aProcessDraft({ id: "prc-1", version: 1 }),
    ];
    await store.transaction(async (unit) => {
      // The order of inserts inside a transaction does not matter.
      for (const draft of prompts) await unit.insertPromptDraft(draft);
      for (const draft of processes) await unit.insertProcessDraft(draft);
      await unit.insertTask(aTask());
    });

    const [second, tenth, first] = prompts;
    expect(await store.listPromptDrafts(aTask().id)).toEqual([first, second, tenth]);
    expect(await store.listProcessDrafts(aTask().id)).toEqual(processes.toReversed());
    expect(await store.getPromptDraft("prm-2")).toEqual(second);
    expect(await store.getProcessDraft("prc-2")).toEqual(processes[0]);
    expect(await store.getPromptDraft("prc-2")).toBeUndefined();
    expect(await store.getProcessDraft("prm-2")).toBeUndefined();
    expect(await store.listPromptDrafts("task-none")).toEqual([]);
  });

  test("two drafts or executions with the same number, or of an unknown task, are an error", async () => {
    const store = await aStore();
    await store.transaction(async (unit) => {
      await unit.insertTask(aTask());
      await unit.insertPromptDraft(aPromptDraft());
      await unit.insertProcessDraft(aProcessDraft());
      await unit.insertExecution(anExecution());
    });

    await expect(
      store.transaction((unit) => unit.insertPromptDraft(aPromptDraft({ id: "prm-2" }))),
    ).rejects.toThrow(/unique/i);
    await expect(
      store.transaction((unit) => unit.insertProcessDraft(aProcessDraft({ id: "prc-2" }))),
    ).rejects.toThrow(/unique/i);
    await expect(
      store.transaction((unit) => unit.insertExecution(anExecution({ id: "exe-2" }))),
    ).rejects.toThrow(/unique/i);
    const lost = anExecution({ id: "exe-3", taskId: "task-none" });
    await expect(store.transaction((unit) => unit.insertExecution(lost))).rejects.toThrow(
      /foreign key/i,
    );
    expect(await store.getExecution("exe-3")).toBeUndefined();
    expect(await store.listExecutions(aTask().id)).toEqual([anExecution()]);
  });

  test("executions come back with every field, by attempt", async () => {
    const store = await aStore();
    const full = fullExecution();
    await store.transaction(async (unit) => {
      await unit.insertTask(aTask());
      await unit.insertExecution(full);
      await unit.insertExecution(anExecution());
    });

    expect(await store.getExecution(full.id)).toEqual(full);
    expect(await store.getExecution("no-such")).toBeUndefined();
    expect(await store.listExecutions(aTask().id)).toEqual([anExecution(), full]);
    expect(await store.listExecutions("task-none")).toEqual([]);
  });

  test("one of two concurrent changes of an execution wins", async () => {
    const store = await aStore();
    await store.transaction(async (unit) => {
      await unit.insertTask(aTask());
      await unit.insertExecution(anExecution());
    });
    const next = { ...fullExecution(), id: anExecution().id };
    const change = () => store.transaction((unit) => unit.updateExecution(next, anExecution()));

    const outcomes = await Promise.allSettled([change(), change()]);

    expect(expectOneWinner(outcomes)).toMatchObject({ status: "stopping", version: 2 });
    expect(await store.getExecution(next.id)).toEqual({ ...next, version: 2 });
  });
}

function fullExecution(): Execution {
  return anExecution({
    id: "exe-full",
    attempt: 12,
    status: "stopping",
    agentId: "executor-2-bbbb",
    agentIds: ["executor-1-aaaa", "executor-2-bbbb"],
    steps: [
      {
        stepId: "step-1",
        status: "outcome_unknown",
        startedAt: NOON + 1,
        endedAt: NOON + 2,
        calls: 3,
        error: "切断",
        note: "半分",
      },
    ],
    namedStepId: "step-1",
    stopFor: "blocked",
    summary: "要約",
    response: "# 報告",
    error: "誤り",
    startedAt: NOON + 1,
    endedAt: NOON + 3,
  });
}
