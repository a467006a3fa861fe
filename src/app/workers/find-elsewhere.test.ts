import { expect, onTestFinished, test } from "vitest";
import { NOON } from "../../../test/kit/builders.ts";
import { aCore, aRole, type TestCore } from "../../../test/kit/core.ts";
import { reasonOf, withLabels } from "../../../test/kit/labelled-agents.ts";
import { aServerRow, twoLines } from "../../../test/kit/server-rows.ts";
import { workersOf } from "../../../test/kit/worker-rows.ts";
import { runnableHere } from "../agents/runnable-here.ts";
import type { Core } from "../core.ts";
import { createHealth } from "../health/health.ts";
import { createHostProblems } from "../health/host-problems.ts";
import type { ServerRow } from "../ports/servers.ts";
import { answerOthers } from "./find-directory.ts";

type Setup = {
  /** What the CLI of the server lists; absent: it has not got the CLI. */
  readonly a?: readonly string[];
  readonly b?: readonly string[];
  readonly isBSilent?: boolean;
};

const MODEL = "model-m";

const modelsOf = (models: readonly string[] | undefined): Partial<ServerRow> =>
  models ? { models: { cursor: models } } : {};

/** Two servers on one store, and agents that wait for the model. */
async function twoServers(setup: Setup, count = 1) {
  const core = await aCore({
    serverId: "a",
    runners: ["cursor"],
    roles: [aRole({ runner: "cursor", model: MODEL, modelFrom: "user" })],
    settings: { locale: "en", maxConcurrent: 0 },
  });
  const reads = { servers: 0, workers: 0 };
  const rows = [aServerRow("a", modelsOf(setup.a)), aServerRow("b", modelsOf(setup.b))];
  const ofWorkers = workersOf([]);
  const [fromA, fromB] = twoLines();
  core.installed.add("cursor");
  const ids = await withLabels(
    core,
    Array.from({ length: count }, () => []),
  );
  const runner = core.runners.get("cursor");
  if (!runner) throw new Error("no cursor");
  const server = (id: "a" | "b"): TestCore => {
    const health = createHealth(core.clock);
    const models = setup[id];
    if (models) health.learnModels("cursor", { models, checkedAt: NOON });
    const detect = async () => (models ? { command: "/bin/cursor" } : undefined);
    return {
      ...core,
      serverId: id,
      calls: { ...core.calls, serverId: id },
      health,
      hostProblems: createHostProblems(core.clock),
      runners: new Map([["cursor", { ...runner, detect }]]),
      store: { ...core.store, serverMessages: id === "a" ? fromA : fromB },
      servers: { id, list: async () => ((reads.servers += 1), rows) },
      workers: { ...ofWorkers, list: async () => ((reads.workers += 1), ofWorkers.list()) },
      sessions: { reportOn: async () => [] },
    };
  };
  const [a, b] = [server("a"), server("b")];
  const answering = [a, ...(setup.isBSilent ? [] : [b])].map((each: Core) => answerOthers(each));
  onTestFinished(() => answering.forEach((each) => each.stop()));
  const [id = "no-agent-0"] = ids;
  const taken = async (by: Core) => runnableHere(by, await core.store.getAgents([...ids]));
  return { a, b, id, reads, rows, taken };
}

test("two servers whose CLIs do not list a model do not leave its agent to each other", async () => {
  const { a, b, id, taken } = await twoServers({ a: ["model-a"], b: ["model-b"] });

  expect(await taken(a)).toHaveLength(1);
  expect(await taken(b)).toHaveLength(1);
  expect(await reasonOf(a, id)).toBe(
    "No connected server or worker has the model model-m of the CLI cursor. Update the CLI, or connect a worker that has the model.",
  );
});

test("a server leaves an agent whose model its CLI does not list to a server whose CLI lists it", async () => {
  const { a, b, id, taken } = await twoServers({ a: ["model-a"], b: [MODEL] });

  expect(await taken(a)).toEqual([]);
  expect(await taken(b)).toHaveLength(1);
  expect(await reasonOf(a, id)).toBeUndefined();
});

test.each<{ of: string; setup: Setup }>([
  { of: "model", setup: { a: ["model-a"], b: [MODEL] } },
  { of: "CLI", setup: { b: [MODEL] } },
])(
  "before an agent fails for want of its $of, a host counts that has just connected",
  async ({ setup }) => {
    const { a, id, rows, taken } = await twoServers(setup);
    const connected = rows.splice(1);
    await reasonOf(a, id);

    rows.push(...connected);

    expect(await taken(a)).toEqual([]);
  },
);

test("an agent does not say that it waits for a host that has just connected", async () => {
  const { a, id, rows } = await twoServers({ a: ["model-a"], b: [MODEL] });
  const connected = rows.splice(1);
  expect(await reasonOf(a, id)).toContain("has the model model-m");

  rows.push(...connected);

  expect(await reasonOf(a, id)).toBeUndefined();
});

test("a server without the CLI of an agent leaves it to a server that has the CLI", async () => {
  const { a, b, taken } = await twoServers({ b: [MODEL] });

  expect(await taken(a)).toEqual([]);
  expect(await taken(b)).toHaveLength(1);
});

test.each<{ why: string; setup: Setup }>([
  { why: "no other host has it", setup: {} },
  { why: "the server that has it lacks the model", setup: { b: ["model-b"] } },
])("an agent whose CLI is not on this server fails here if $why", async ({ setup }) => {
  const { a, taken } = await twoServers(setup);

  expect(await taken(a)).toHaveLength(1);
});

test("a server without the CLI of an agent waits for the answer of another server", async () => {
  const { a, rows, taken } = await twoServers({ b: [MODEL], isBSilent: true });

  expect(await taken(a)).toEqual([]);
  // Its lease has ended.
  rows.pop();
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect(await taken(a)).toHaveLength(1);
});

test("a round reads the hosts once, however many agents wait for a CLI that is signed out", async () => {
  const { a, reads, taken } = await twoServers({ a: [MODEL], b: [MODEL] }, 20);
  a.hostProblems?.add({ runner: "cursor", kind: "signed-out", reason: "No." });

  expect(await taken(a)).toEqual([]);

  expect(reads).toEqual({ servers: 1, workers: 1 });
});

test("a round in which many agents fail for want of a host reads the hosts only once more", async () => {
  const { a, reads, taken } = await twoServers({ a: ["model-a"], b: ["model-b"] }, 20);

  expect(await taken(a)).toHaveLength(20);

  expect(reads).toEqual({ servers: 2, workers: 2 });
});
