import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { demoRequest, type DemoStory } from "../../src/contract/demo.ts";
import { until } from "../kit/daemon.ts";
import { aDemo, aDemoPlace, demosIn, processesOf } from "../kit/demo.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";
import { LONG_MS } from "../kit/story.ts";

const taskShape = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  approvals: z
    .array(
      z.looseObject({
        approvalId: z.string(),
        kind: z.string(),
        status: z.string(),
        version: z.number(),
        choices: z.array(z.string()),
      }),
    )
    .default([]),
  agents: z
    .array(z.looseObject({ role: z.string(), status: z.string(), startedAt: z.unknown() }))
    .default([]),
  executions: z
    .array(
      z.looseObject({
        steps: z.array(z.looseObject({ stepId: z.string(), status: z.string() })),
      }),
    )
    .default([]),
});

/** The step is shown as done some time before the executor reports it, and would be stopped until then. */
const LOOKS_IN_PAUSE = 30;

/** Plays a story over REST as a person would: approves everything, and blocks it in its pause. */
async function play(url: string, story: DemoStory) {
  async function ask(method: string, path: string, body?: unknown) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { "x-kuromajutsu": "1", "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
  const { taskId } = taskShape.parse(
    await ask("POST", "/api/tasks", { text: demoRequest(story, "ja") }),
  );
  const look = async () => taskShape.parse(await ask("GET", `/api/tasks/${taskId}`));
  const change = (body: object) => ask("PATCH", `/api/tasks/${taskId}`, body);
  const kinds: string[] = [];
  let atOnce = 0;
  let isBlocked = false;
  let looksInPause = 0;
  /** The status of the step before the pause. */
  let afterBlock: string | undefined;
  for (;;) {
    const task = await look();
    if (task.status === "completed") return { task, kinds, atOnce, isBlocked, afterBlock };
    if (task.status === "failed") throw new Error(JSON.stringify(task));
    const workers = task.agents.filter(
      ({ role, status }) => role === "impl-code" && status === "running",
    );
    atOnce = Math.max(atOnce, workers.length);
    const pending = task.approvals.find(({ status }) => status === "pending");
    const pauses = story === "hr" ? "step-4" : "step-2";
    const isPaused = task.executions
      .at(-1)
      ?.steps.some(({ stepId, status }) => stepId === pauses && status === "done");
    if (pending) {
      kinds.push(pending.kind);
      const [answer] = pending.choices;
      await ask("POST", `/api/approvals/${pending.approvalId}/decision`, {
        decision: "approve",
        version: pending.version,
        ...(answer !== undefined && { answer }),
      });
    } else if (isPaused && !isBlocked && ++looksInPause > LOOKS_IN_PAUSE) {
      isBlocked = true;
      await change({ status: "blocked", reason: "確かめたい" });
      await until(async () => (await look()).agents.every(({ status }) => status !== "running"));
      const steps = (await look()).executions.at(-1)?.steps ?? [];
      afterBlock = steps.find(({ stepId }) => stepId === pauses)?.status;
      await change({ status: "in_progress" });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The project of the only demo that runs here. */
function projectIn(tmp: string): string {
  return join(tmp, demosIn(tmp)[0] ?? "", "project");
}

test.runIf(HAS_ALL_ROUNDS)(
  "the HR story of a demo runs to a written sheet, and Ctrl-C leaves no directory, process or file",
  { timeout: LONG_MS },
  async () => {
    const place = aDemoPlace();
    const before = readdirSync(place.dir);
    const demo = await aDemo(place, ["hr"]);
    expect(demo.said()).toContain("デモです");

    const { kinds, isBlocked, afterBlock } = await play(demo.url, "hr");

    expect(kinds).toEqual(["prompt", "process", "step"]);
    expect(isBlocked).toBe(true);
    expect(afterBlock).toBe("done");
    const output = readdirSync(join(projectIn(place.tmp), "output"));
    expect(output).toContain("outbox.jsonl");
    expect(output.filter((name) => name.endsWith(".csv"))).toHaveLength(1);
    expect(await demo.end("SIGINT")).toBe(0);
    expect(readdirSync(place.dir)).toEqual(before);
    expect(processesOf(place.tmp)).toEqual([]);
    await expect(fetch(demo.url)).rejects.toThrow("fetch failed");
  },
);

test(
  "the coding story runs three agents at once, and a person decides which of two changes stays",
  { timeout: LONG_MS },
  async () => {
    const place = aDemoPlace();
    const demo = await aDemo(place, ["coding"]);

    const { kinds, atOnce, afterBlock } = await play(demo.url, "coding");

    expect(kinds).toEqual(["prompt", "process", "question"]);
    expect(atOnce).toBe(3);
    expect(afterBlock).toBe("done");
    const read = (path: string) => readFileSync(join(projectIn(place.tmp), path), "utf8");
    expect(read("src/price.js")).toContain("* 1.1");
    expect(read("src/receipt.js")).toContain("receipt");
    expect(read("src/price.js")).toBe(read("copies/tax/src/price.js"));
  },
);

test(
  "SIGTERM or SIGHUP while agents run stops them and removes the directory",
  { timeout: LONG_MS },
  async () => {
    for (const signal of ["SIGTERM", "SIGHUP"] as const) {
      const place = aDemoPlace();
      const demo = await aDemo(place);
      await startAgent(demo.url, place.tmp);

      expect(await demo.end(signal)).toBe(0);

      expect(demosIn(place.tmp)).toEqual([]);
      expect(processesOf(place.tmp)).toEqual([]);
    }
  },
);

test(
  "the next demo ends the agents of a killed demo and removes its directory, and no other one",
  { timeout: LONG_MS },
  async () => {
    const place = aDemoPlace();
    const living = await aDemo(place);
    const [livingName] = demosIn(place.tmp);
    const killed = await aDemo(place);
    await startAgent(killed.url, place.tmp);
    await killed.end("SIGKILL");
    const elsewhere = join(place.dir, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    writeFileSync(join(elsewhere, "demo.json"), '{"pid":1,"start":"","bootId":""}');
    symlinkSync(elsewhere, join(place.tmp, "kuromajutsu-demo-linked"));
    mkdirSync(join(place.tmp, "kuromajutsu-demo-Foreig"), { mode: 0o700 });
    expect(demosIn(place.tmp)).toHaveLength(4);

    const next = await aDemo(place);

    const left = demosIn(place.tmp);
    expect(left).toContain(livingName);
    expect(left).toEqual(
      expect.arrayContaining(["kuromajutsu-demo-linked", "kuromajutsu-demo-Foreig"]),
    );
    expect(left).toHaveLength(4);
    expect(existsSync(join(elsewhere, "demo.json"))).toBe(true);
    expect(await living.end("SIGINT")).toBe(0);
    expect(await next.end("SIGINT")).toBe(0);
    expect(processesOf(place.tmp)).toEqual([]);
  },
);

test("a demo takes a free port and ignores the daemon, port and data directory of the person", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = String(typeof address === "object" ? address?.port : 0);
  const place = aDemoPlace({ KUROMAJUTSU_PORT: port, KUROMAJUTSU_DATA_DIR: "/nonexistent/data" });

  const demo = await aDemo(place);

  expect(new URL(demo.url).port).not.toBe(port);
  const welcome: unknown = await (await fetch(`${demo.url}/api/welcome`)).json();
  expect(welcome).toMatchObject({ demo: "choose" });
  expect(await demo.end("SIGINT")).toBe(0);
});

/** Starts a task and waits until one of its agents runs. */
async function startAgent(url: string, tmp: string): Promise<void> {
  await fetch(`${url}/api/tasks`, {
    method: "POST",
    headers: { "x-kuromajutsu": "1", "content-type": "application/json" },
    body: JSON.stringify({ text: "待って\n#rehearsal in task-analyst listen 600000" }),
  });
  await until(() => processesOf(tmp).some(({ environment }) => environment.some(isOfAgent)));
}

function isOfAgent(entry: string): boolean {
  return entry.startsWith("KUROMAJUTSU_AGENT_ID=");
}
