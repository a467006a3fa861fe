import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { until } from "../kit/daemon.ts";
import { rounds } from "../kit/rounds.ts";
import { aPersonWithCurl, LONG_MS, type Person } from "../kit/task-person.ts";

const HR = fileURLToPath(new URL("../../examples/hr/", import.meta.url));
const RENAMED = fileURLToPath(new URL("../kit/upstream/renamed-server.ts", import.meta.url));
const REQUEST = "9月分の残業時間を集計して";

/** Runs a task from the request to the held write. */
async function upToTheWrite(person: Person, request = REQUEST) {
  const taskId = await person.ask(request);
  const prompt = await person.asked(taskId, "prompt");
  expect(JSON.stringify(prompt.shown)).toMatch(/リハーサル|Rehearsal/);
  await person.decide(prompt, "approve");
  const process = await person.asked(taskId, "process");
  const steps = (await person.look(taskId)).processes.at(-1)?.steps ?? [];
  await person.decide(process, "approve");
  const write = await person.asked(taskId, "step");
  return { taskId, steps, write };
}

/** The sheet's totals by employee. */
function sheetIn(output: string, name: string): Record<string, number> {
  const text = readFileSync(join(output, name), "utf8");
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const columns = header.split(",");
  const id = columns.indexOf("employeeId");
  const minutes = columns.indexOf("overtimeMinutes");
  return Object.fromEntries(
    lines.map((line) => {
      const cells = line.split(",");
      return [cells[id] ?? "", Number(cells[minutes])];
    }),
  );
}

/** The same totals from the raw data, by a program that shares no code with the server. */
function totalsOf(month: string): unknown {
  const script = join(HR, "totals.js");
  return JSON.parse(execFileSync(process.execPath, [script, month], { encoding: "utf8" }));
}

const SHEET = "リハーサル_ 9月分の残業時間を集計して.csv";

test(
  "the HR example runs from the request to a written sheet, with a human check before the write",
  { timeout: LONG_MS },
  async () => {
    const person = await aPersonWithCurl([join(HR, "server.js")]);

    const { taskId, steps, write } = await upToTheWrite(person);

    expect(steps.map(({ tool, requiresHumanCheck }) => [tool, requiresHumanCheck])).toEqual([
      ["list_employees", false],
      ["list_attendance", false],
      ["calculate_overtime", false],
      ["write_rows_to_google_sheet", true],
      ["send_slack_dm", false],
    ]);
    expect(existsSync(person.output)).toBe(false);

    await person.decide(write, "approve");
    const { title, executions } = await person.ended(taskId);

    expect(title).toBe(REQUEST);
    expect(executions).toMatchObject([
      { status: "completed", summary: expect.stringContaining("リハーサル") },
    ]);
    expect(sheetIn(person.output, SHEET)).toEqual(totalsOf("2026-09"));
    const sent = readFileSync(join(person.output, "outbox.jsonl"), "utf8").trimEnd().split("\n");
    expect(sent.map((line): unknown => JSON.parse(line))).toMatchObject([
      { to: "@jinji", text: expect.stringContaining("24 行を書き込みました") },
    ]);
  },
);

test(
  "the HR example is English throughout for a request in English",
  { timeout: LONG_MS },
  async () => {
    const person = await aPersonWithCurl([join(HR, "server.js")]);

    const { taskId, steps, write } = await upToTheWrite(person, "Sum up the overtime of September");
    await person.decide(write, "approve");
    await person.ended(taskId);

    expect(steps.map(({ title }) => title)).toEqual([
      "List employees (rehearsal)",
      "Get attendance records (rehearsal)",
      "Calculate overtime (rehearsal)",
      "Write the sheet (rehearsal)",
      "Send a completion message (rehearsal)",
    ]);
    expect(readFileSync(join(person.output, "outbox.jsonl"), "utf8")).toContain("Wrote 24 rows to");
  },
);

test.each([7, 2026].slice(0, rounds({ all: 2, few: 1 })))(
  "the HR example writes the same sheet with all tools and properties renamed and two tools added (random seed %i)",
  { timeout: LONG_MS },
  async (seed) => {
    const person = await aPersonWithCurl([RENAMED, String(seed), join(HR, "server.js")]);

    const { taskId, steps, write } = await upToTheWrite(person);

    expect(steps.map(({ requiresHumanCheck }) => requiresHumanCheck)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(JSON.stringify(steps)).not.toMatch(/employee|attendance|overtime|sheet|slack/);
    expect(existsSync(person.output)).toBe(false);

    await person.decide(write, "approve");
    await person.ended(taskId);

    expect(sheetIn(person.output, SHEET)).toEqual(totalsOf("2026-09"));
    expect(readFileSync(join(person.output, "outbox.jsonl"), "utf8")).toContain("24 行");
  },
);

test(
  "the HR example writes one sheet when the decision comes after the agent was parked",
  { timeout: LONG_MS },
  async () => {
    const person = await aPersonWithCurl([join(HR, "server.js")], { tasks: { holdFor_ms: 0 } });
    const { taskId, write } = await upToTheWrite(person, "10月分の残業時間を集計して");
    await until(async () => {
      const { agents } = z
        .object({ agents: z.array(z.looseObject({ role: z.string(), status: z.string() })) })
        .parse(await person.look(taskId));
      return agents.every(({ status }) => status !== "running" && status !== "queued");
    });
    expect(existsSync(person.output)).toBe(false);

    await person.decide(write, "approve");
    await person.ended(taskId);

    expect(sheetIn(person.output, "リハーサル_ 10月分の残業時間を集計して.csv")).toEqual(
      totalsOf("2026-10"),
    );
  },
);
