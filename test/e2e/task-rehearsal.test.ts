import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { aPersonWithCurl, LONG_MS, type Person } from "../kit/task-person.ts";

const SERVER = fileURLToPath(new URL("../../examples/hr/server.js", import.meta.url));

/** Approves both drafts. */
async function inProgress(person: Person, text: string): Promise<string> {
  const taskId = await person.ask(text);
  await person.decide(await person.asked(taskId, "prompt"), "approve");
  await person.decide(await person.asked(taskId, "process"), "approve");
  return taskId;
}

test(
  "a rehearsed task without upstream servers has one step for an agent",
  { timeout: LONG_MS },
  async () => {
    const person = await aPersonWithCurl();

    const taskId = await inProgress(person, "挨拶を書いて\n#rehearsal in executor child sleep 300");
    const { executions, processes } = await person.ended(taskId);

    expect(processes.at(-1)?.steps).toMatchObject([{ tool: expect.stringMatching(/^agent:/) }]);
    expect(executions).toMatchObject([
      {
        status: "completed",
        summary: expect.stringContaining("1 個のステップがすべて終わりました"),
      },
    ]);
  },
);

test(
  "a rehearsed task sends back an invalid draft, fails an attempt, and continues in the next one",
  { timeout: LONG_MS },
  async () => {
    const person = await aPersonWithCurl([SERVER]);
    const taskId = await inProgress(
      person,
      `9月分を集計して
#rehearsal first in planner answer これは JSON ではない
#rehearsal uncheck step-4
#rehearsal first before step-5 fail 停電`,
    );

    expect((await person.ended(taskId, "failed")).failure).toMatchObject({
      stage: "execution",
      message: expect.stringContaining("停電"),
    });
    const [sheet = ""] = readdirSync(person.output);
    const written = readFileSync(join(person.output, sheet), "utf8");
    expect(existsSync(join(person.output, "outbox.jsonl"))).toBe(false);

    await person.retry(taskId);
    const { executions, toolCalls, agents } = await person.ended(taskId);

    expect(executions).toMatchObject([{ status: "failed" }, { status: "completed" }]);
    expect(toolCalls).toHaveLength(5);
    expect(JSON.stringify(agents).match(/"role":"planner"/g)).toHaveLength(2);
    expect(readFileSync(join(person.output, sheet), "utf8")).toBe(written);
  },
);

test(
  "a rehearsed task leaves out a write that was rejected with skip; every reason reaches the next draft",
  { timeout: LONG_MS },
  async () => {
    const person = await aPersonWithCurl([SERVER]);
    const taskId = await person.ask("9月分を集計して");
    await person.decide(await person.asked(taskId, "prompt"), "reject", { reason: "短くして" });
    const second = await person.asked(taskId, "prompt");
    expect(JSON.stringify(second.shown)).toContain("短くして");
    await person.decide(second, "approve");
    await person.decide(await person.asked(taskId, "process"), "approve");

    await person.decide(await person.asked(taskId, "step"), "reject", {
      reason: "まだ早い",
      onReject: "skip",
    });
    const { executions } = await person.ended(taskId);

    expect(executions).toMatchObject([
      { summary: expect.stringContaining("行わなかったもの: step-4 write_rows_to_google_sheet") },
    ]);
    expect(readdirSync(person.output)).toEqual(["outbox.jsonl"]);
  },
);
