import { expect, test } from "vitest";
import { NOON } from "../../../test/kit/builders.ts";
import { aCore, aRole, ended } from "../../../test/kit/core.ts";
import { launchedIds, launchesOf, withLabels } from "../../../test/kit/labelled-agents.ts";
import { aWorkerRow, workersOf } from "../../../test/kit/worker-rows.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import type { Failure } from "../../domain/agents/runner.ts";
import { hostProblemAt } from "../../domain/health/host-problem.ts";
import type { AgentId } from "../../domain/ids.ts";
import { createHostProblems } from "../health/host-problems.ts";
import type { Observation } from "../ports/supervisor.ts";
import type { WorkerRow } from "../ports/workers.ts";

const NONE: AgentId = "no-agent-0";
const SIGNED_OUT: Failure = { kind: "signed-out", resetsAt: null };
const NOT_SIGNED_IN = {
  ok: false,
  text: "",
  durationMs: null,
  error: "Not logged in.",
  failure: SIGNED_OUT,
};
const PROCESS = { pid: 1, pidStart: "1", bootId: "b" };
const FIVE_MINUTES = 300_000;

/** This server and the workers; all have the directory, except those that are named. */
async function aServerWith(rows: readonly WorkerRow[], lacksDirectory: readonly string[] = []) {
  const core = await aCore({
    serverId: "here",
    runners: ["claude", "rehearsal"],
    roles: [aRole({ runner: "claude", model: "default" })],
    settings: { locale: "en" },
    hosts: (clock) => ({
      hostProblems: createHostProblems(clock),
      workers: workersOf(rows),
      sessions: {
        reportOn: async () =>
          rows.map(({ id }) => ({ id, hasDirectory: !lacksDirectory.includes(id) })),
      },
    }),
  });
  core.installed.add("claude");
  /** Resolves after so many launches in all. */
  const run = async (launches = 1): Promise<AgentId> => {
    const [id = NONE] = await withLabels(core, [[]]);
    await launchesOf(core, launches);
    return id;
  };
  const begin = (id: AgentId, attempt: number): Observation => {
    const { clock } = core;
    return { type: "started", agentId: id, attempt, ...PROCESS, at: clock.now() };
  };
  const fail = async (id: AgentId, over: Partial<AgentProgress> = {}, attempt = 1) => {
    const progress = { ...(await core.store.getProgress(id)), end: NOT_SIGNED_IN, ...over };
    await core.observe(begin(id, attempt), ended(id, { exitCode: 1, progress, attempt }));
  };
  const laterOn = async (ms: number, launches: number) => {
    core.advance(ms);
    core.dispatchSoon();
    return launchesOf(core, launches);
  };
  return { core, run, begin, fail, laterOn };
}

const claudeAt = (id: string) => aWorkerRow(id, { runners: ["claude"] });

test("an agent whose CLI is signed out on its host waits for another host, and the runner has no problem", async () => {
  const { core, run, fail, laterOn } = await aServerWith([claudeAt("wrk-2")]);
  const id = await run();

  await fail(id);

  expect(await core.store.getAgent(id)).toMatchObject({
    status: "queued",
    process: "waiting",
    workerId: null,
  });
  expect(await core.store.getProgress(id)).toEqual({
    ...NO_PROGRESS,
    triedHosts: ["here"],
    warnings: ["claude is signed out on the server here, so it was started on another host."],
  });
  expect(core.health.problems()).toEqual([]);
  expect(await core.store.listRunnerProblems()).toEqual([]);
  expect(core.hostProblems?.all()).toMatchObject([{ runner: "claude", reason: "Not logged in." }]);
  expect(await laterOn(0, 1)).toEqual([id]);
});

test("a host whose CLI is signed out leaves its agents to others for five minutes", async () => {
  const { run, fail, laterOn } = await aServerWith([claudeAt("wrk-2")]);
  const first = await run();
  await fail(first);

  const second = await run();
  expect(await laterOn(FIVE_MINUTES - 1, 1)).toEqual([first]);

  expect(await laterOn(1, 3)).toEqual([first, first, second]);
});

test("an agent that fails on the same host again fails, and says where to sign in", async () => {
  const { core, run, fail, laterOn } = await aServerWith([claudeAt("wrk-2")]);
  const id = await run();
  await fail(id);
  await laterOn(FIVE_MINUTES, 2);

  await fail(id, {}, 2);

  expect(await core.store.getResult(id)).toMatchObject({
    status: "failure",
    failure: SIGNED_OUT,
    errorMessage: "Not logged in. (on the server here)",
  });
});

const OUT = hostProblemAt(NOON, { runner: "claude", kind: "signed-out", reason: "No." });

test.each<[string, readonly WorkerRow[]]>([
  ["there is no other host", []],
  ["no other host has the CLI", [aWorkerRow("wrk-2")]],
  ["it is signed out there, too", [aWorkerRow("wrk-2", { runners: ["claude"], problems: [OUT] })]],
])(
  "an agent whose CLI is signed out fails if %s, and the runner has a problem",
  async (_why, rows) => {
    const { core, run, fail } = await aServerWith(rows);
    const id = await run();

    await fail(id);

    expect(await core.store.getAgent(id)).toMatchObject({ status: "failed", process: "ended" });
    expect(core.health.problem("claude")).toMatchObject({ kind: "signed-out" });
  },
);

test("an agent whose directory only this host has is not left to others", async () => {
  const { core, run, fail } = await aServerWith([claudeAt("wrk-2")], ["wrk-2"]);
  const first = await run();
  await fail(first);
  const second = await run(2);

  expect(await core.store.getAgent(first)).toMatchObject({ status: "failed" });
  expect(launchedIds(core)).toEqual([first, second]);
  expect(core.health.problems()).toEqual([]);
});

test("an agent that called a tool before its CLI was signed out is not started again", async () => {
  const { core, run, fail } = await aServerWith([claudeAt("wrk-2")]);
  const id = await run();

  await fail(id, { toolCallCount: 1 });

  expect(await core.store.getAgent(id)).toMatchObject({ status: "failed" });
});

test("an agent whose CLI was removed from its host waits for another host", async () => {
  const { core, run } = await aServerWith([claudeAt("wrk-2")]);
  const id = await run();
  const failed = { type: "start_failed", agentId: id, attempt: 1, error: "Not found." } as const;

  await core.observe({ ...failed, isMissing: true });

  expect(await core.store.getAgent(id)).toMatchObject({ status: "queued", process: "waiting" });
  expect(core.hostProblems?.find("claude")).toMatchObject({ kind: "not-installed" });
});

test("an answer to an agent that was started after the sign-out ends the problem of the host", async () => {
  const { core, run, begin } = await aServerWith([claudeAt("wrk-2")]);
  const id = await run();
  const progress = { ...NO_PROGRESS, toolCallCount: 1 };
  const answer = { type: "progress", agentId: id, attempt: 1, progress } as const;
  await core.observe(begin(id, 1));
  core.advance(1);
  core.hostProblems?.add(OUT);
  await core.observe(answer);
  expect(core.hostProblems?.all()).toHaveLength(1);

  const next = await aServerWith([claudeAt("wrk-2")]);
  const other = await next.run();
  next.core.hostProblems?.add(OUT);
  await next.core.observe(next.begin(other, 1), { ...answer, agentId: other });

  expect(next.core.hostProblems?.all()).toEqual([]);
});
