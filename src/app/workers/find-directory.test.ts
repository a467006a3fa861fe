import { expect, onTestFinished, test } from "vitest";
import { aCore, type TestCore } from "../../../test/kit/core.ts";
import { reasonOf, withLabels } from "../../../test/kit/labelled-agents.ts";
import { aServerRow, twoLines } from "../../../test/kit/server-rows.ts";
import { aWorkerRow, workersOf } from "../../../test/kit/worker-rows.ts";
import { explainWaiting } from "../agents/waiting-for.ts";
import type { Core } from "../core.ts";
import type { HostReport } from "../ports/server-messages.ts";
import { answerOthers } from "./find-directory.ts";

const THERE = "/only/there";

type Setup = {
  /** What the workers of this server say. */
  readonly own?: readonly HostReport[];
  /** What the workers of the other server say; undefined: there is no other server. */
  readonly others?: readonly HostReport[];
  /** The workers that are connected to any server. */
  readonly workers: readonly ReturnType<typeof aWorkerRow>[];
  readonly slots?: number;
  readonly installed?: readonly string[];
  readonly isOtherSilent?: boolean;
  /** How many agents the other server runs itself; by default none. */
  readonly otherSlots?: number | null;
};

/** This server, which has not got the directory, and perhaps another one. */
async function servers(setup: Setup): Promise<TestCore> {
  const core = await aCore({
    serverId: "here",
    settings: { locale: "en", maxConcurrent: 0 },
    ...(setup.slots !== undefined && { offer: { slots: setup.slots } }),
  });
  for (const id of setup.installed ?? []) core.installed.add(id);
  const [fromHere, fromThere] = twoLines();
  const rows = [aServerRow("here", { slots: setup.slots ?? null })];
  const { otherSlots = 0 } = setup;
  if (setup.others) rows.push(aServerRow("there", { slots: otherSlots }));
  const here: TestCore = {
    ...core,
    store: { ...core.store, serverMessages: fromHere },
    servers: { id: "here", list: async () => rows },
    workers: workersOf(setup.workers),
    sessions: { reportOn: async () => setup.own ?? [] },
    directories: { ...core.directories, exists: async (path) => path !== THERE },
  };
  if (setup.others && !setup.isOtherSilent) {
    const there: Core = {
      ...here,
      calls: { ...core.calls, serverId: "there" },
      store: { ...core.store, serverMessages: fromThere },
      sessions: { reportOn: async () => setup.others ?? [] },
    };
    const answering = answerOthers(there);
    onTestFinished(() => answering.stop());
  }
  return here;
}

const request = { workingDirectory: THERE };
const says = (id: string, hasDirectory: boolean): HostReport => ({ id, hasDirectory });

test.each<{ of: string; setup: Setup }>([
  { of: "no other host", setup: { workers: [] } },
  {
    of: "a worker of this server that has not got it",
    setup: { workers: [aWorkerRow("wrk-1")], own: [says("wrk-1", false)] },
  },
  {
    of: "a worker of another server that has not got it",
    setup: { workers: [aWorkerRow("wrk-1")], others: [says("wrk-1", false)] },
  },
  {
    of: "a server that did not answer and runs no agents",
    setup: { workers: [], others: [], isOtherSilent: true },
  },
])("a directory that is not here is refused with $of", async ({ setup }) => {
  const core = await servers(setup);

  const asking = withLabels(core, [[]], request);

  await expect(asking).rejects.toMatchObject({
    code: "WORKING_DIRECTORY_NOT_FOUND",
    message: expect.stringContaining(THERE),
  });
  expect((await core.store.listAgents({ limit: 10 })).total).toBe(0);
});

test.each<{ of: string; setup: Setup }>([
  {
    of: "a worker of this server has it",
    setup: { workers: [aWorkerRow("wrk-1")], own: [says("wrk-1", true)], others: [] },
  },
  {
    of: "a worker of another server has it",
    setup: {
      workers: [aWorkerRow("wrk-1"), aWorkerRow("wrk-2")],
      own: [says("wrk-1", false)],
      others: [says("wrk-2", true)],
    },
  },
  {
    of: "a worker that did not answer may have it",
    setup: { workers: [aWorkerRow("wrk-1")], own: [] },
  },
  {
    of: "a worker of a server that did not answer may have it",
    setup: { workers: [aWorkerRow("wrk-1")], others: [], isOtherSilent: true },
  },
  {
    of: "a server that did not answer, as one of the version before does not, may have it",
    setup: {
      workers: [aWorkerRow("wrk-1")],
      own: [says("wrk-1", false)],
      others: [],
      isOtherSilent: true,
      otherSlots: null,
    },
  },
])("an agent whose directory is not here is queued if $of", async ({ setup }) => {
  const core = await servers(setup);

  const [id] = await withLabels(core, [[]], request);

  expect(id && (await reasonOf(core, id))).toBeUndefined();
});

test("many workers of another server answer in several messages, and all of them count", async () => {
  const ids = Array.from({ length: 50 }, (_, index) => `wrk-${index}`);
  const others = ids.map((id) => says(id, id === "wrk-49"));
  const core = await servers({ workers: ids.map((id) => aWorkerRow(id)), others });

  const queued = await withLabels(core, [[]], request);

  expect(queued).toHaveLength(1);
});

test("a queued agent says which directory no host has, and which CLI", async () => {
  const own = [says("wrk-1", false)];
  const workers = [aWorkerRow("wrk-1", { runners: ["cursor"] })];
  const core = await servers({ workers, slots: 0, own });
  const [id = "no-agent-0"] = await withLabels(core, [[]]);
  const agent = await core.store.getAgent(id);
  if (!agent) throw new Error("it was asked for");
  const move = (over: Partial<typeof agent>) =>
    core.store.transaction(async (unit) => {
      const before = await unit.getAgent(id);
      if (before) await unit.updateAgent({ ...before, ...over }, before);
    });

  await move({ workingDirectory: THERE });
  expect(await reasonOf(core, id)).toBe(
    `No connected server or worker has the directory ${THERE}.`,
  );
  await move({ runner: "rehearsal" });
  expect(await reasonOf(core, id)).toBe(
    "No connected server or worker has the CLI rehearsal. Install it, or connect a worker that has it.",
  );
});

test("a server without the CLI and a worker without the directory together are no host for an agent", async () => {
  const workers = [aWorkerRow("wrk-1", { runners: ["cursor"] })];
  const core = await servers({ workers, own: [says("wrk-1", false)] });
  const [id = "no-agent-0"] = await withLabels(core, [[]]);

  expect(await core.store.getAgent(id)).toMatchObject({ runner: "cursor" });
  expect(await reasonOf(core, id)).toBe(
    "No connected server or worker with the CLI cursor has the directory /.",
  );
  core.installed.add("cursor");
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect(await reasonOf(core, id)).toBeUndefined();
});

async function timed<Result>(work: Promise<Result>) {
  const began = performance.now();
  return { result: await work, ms: performance.now() - began };
}

test("a silent server delays no request that the answers of others are enough for, and a list only once", async () => {
  const workers = [aWorkerRow("wrk-1"), aWorkerRow("wrk-2")];
  // wrk-2 is connected to the other server, and does not answer.
  const core = await servers({ workers, others: [says("wrk-1", true)], slots: 0 });

  const asking = await timed(withLabels(core, [[]], request));
  expect(asking.ms).toBeLessThan(1_000);

  const [id = "no-agent-0"] = asking.result;
  const agent = await core.store.getAgent(id);
  if (!agent) throw new Error("it was asked for");
  const directories = Array.from({ length: 4 }, (_, index) => `/only/there/${index}`);
  const waiting = directories.map((workingDirectory) => ({
    ...agent,
    // No worker has it, so every host has to answer.
    runner: "cursor" as const,
    workingDirectory,
  }));
  const listing = await timed(explainWaiting(core, waiting));
  expect(listing.ms).toBeLessThan(3_000);
});
