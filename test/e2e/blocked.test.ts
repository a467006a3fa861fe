import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { z } from "zod";
import { aDaemon, aPlace, until, type Daemon } from "../kit/daemon.ts";

const SERVER = fileURLToPath(new URL("../../examples/hr/server.js", import.meta.url));
const LONG_MS = 180_000;

const approvals = z.object({
  approvals: z.array(z.object({ approvalId: z.string(), kind: z.string(), version: z.number() })),
});
const changed = z.object({ stopping: z.array(z.string()), dryRun: z.boolean() });
const task = z.looseObject({
  status: z.string(),
  failure: z.unknown(),
  executions: z.array(z.looseObject({ attempt: z.number(), status: z.string() })),
  agents: z.array(z.looseObject({ agentId: z.string(), role: z.string(), status: z.string() })),
  notifications: z.array(z.looseObject({ type: z.string(), status: z.string() })),
});

/** A person with curl. The executor of their task waits in a held call, before the sheet is written. */
async function aHeldTask() {
  const place = aPlace();
  const output = join(place.dir, "output");
  const hr = { command: process.execPath, args: [SERVER], env: { HR_OUTPUT_DIR: output } };
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    stringify({
      agent: { runner: "rehearsal" },
      healthCheck: { enabled: false },
      mcpServers: { hr },
    }),
  );
  let daemon: Daemon = await aDaemon(place);

  async function rest(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${daemon.url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  const text = "9月分の残業時間を集計して";
  const { taskId } = z
    .looseObject({ taskId: z.string() })
    .parse(await rest("POST", "/api/tasks", { text }));
  const look = async () => task.parse(await rest("GET", `/api/tasks/${taskId}`));
  const asked = async (kind: string) =>
    approvals
      .parse(await rest("GET", `/api/approvals?status=pending&taskId=${taskId}`))
      .approvals.find((one) => one.kind === kind);

  async function reach(done: () => Promise<boolean>): Promise<void> {
    let problem: string | undefined;
    await until(
      async () => {
        const { status, failure } = await look();
        if (status === "failed") problem = JSON.stringify(failure);
        return done();
      },
      () => problem,
      LONG_MS,
    );
  }

  async function approve(kind: string): Promise<void> {
    await reach(async () => (await asked(kind)) !== undefined);
    const { approvalId, version } = approvals.shape.approvals.element.parse(await asked(kind));
    await rest("POST", `/api/approvals/${approvalId}/decision`, { decision: "approve", version });
  }

  await approve("prompt");
  await approve("process");
  await reach(async () => (await asked("step")) !== undefined);
  return {
    output,
    look,
    reach,
    approve,
    asked,
    change: async (status: string, query = "") =>
      changed.parse(await rest("PATCH", `/api/tasks/${taskId}${query}`, { status })),
    async killDaemon() {
      await daemon.kill("SIGKILL");
      daemon = await aDaemon(place);
    },
  };
}

type Held = Awaited<ReturnType<typeof aHeldTask>>;

/** As the use case leaves it. */
async function expectStopped({ look, reach, asked, output }: Held, status: string) {
  await reach(async () => (await look()).executions.at(-1)?.status === status);
  await reach(async () => (await look()).agents.every((one) => one.status !== "running"));
  const after = await look();
  expect(after.status).toBe(status);
  expect(after.agents.find(({ role }) => role === "executor")?.status).toBe("resultReported");
  expect(after.notifications).toMatchObject([{ type: status, status: "cleared" }]);
  expect(await asked("step")).toBeUndefined();
  expect(existsSync(output)).toBe(false);
}

test(
  "a person blocks a task with a real agent in a held call, and lets it go on later",
  { timeout: LONG_MS },
  async () => {
    const held = await aHeldTask();
    const would = await held.change("blocked", "?dryRun=true");
    expect((await held.look()).status).toBe("in_progress");

    const did = await held.change("blocked");

    expect(would).toEqual({ ...did, dryRun: true });
    expect(did.stopping).toHaveLength(1);
    await expectStopped(held, "blocked");

    await held.change("in_progress");
    await held.approve("step");
    await held.reach(async () => (await held.look()).status === "completed");

    expect((await held.look()).executions).toMatchObject([
      { attempt: 1, status: "blocked" },
      { attempt: 2, status: "completed" },
    ]);
    expect(readdirSync(held.output).filter((name) => name.endsWith(".csv"))).toHaveLength(1);
  },
);

test.each(["blocked", "cancelled"])(
  "%s, and the daemon dies at once: the next one sees it through",
  { timeout: LONG_MS },
  async (status) => {
    const held = await aHeldTask();
    await held.change(status);

    await held.killDaemon();

    expect((await held.look()).status).toBe(status);
    await expectStopped(held, status);
  },
);
