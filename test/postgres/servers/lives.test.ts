import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { statusOf, waitForAll } from "../../kit/agents.ts";
import { command, until } from "../../kit/daemon.ts";
import { aDashboard } from "../../kit/live-client.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  agentRows,
  ask,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  running,
  SETTINGS,
  startAgain,
  type TestServer,
} from "../../kit/postgres/servers.ts";
import { processesWith } from "../../kit/processes.ts";
import { aRepository } from "../../kit/repository.ts";
import { HAS_ALL_ROUNDS } from "../../kit/rounds.ts";

const HANG = { prompt: "#rehearsal hang" };
const TAKE_OVER = /Another server is gone/g;
/** The lease of a dead server, the beat that finds it, and a busy machine. */
const TAKEN_OVER_MS = 4 * LEASE_MS + 10_000;

test("a dashboard on one server sees what happens on another, and wait_agent wakes up there", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const b = await aServer(url);
  const seen = await aDashboard(a.url);
  await seen.frame("snapshot");

  const { agentIds } = await running(b, [{ prompt: "#rehearsal sleep 300" }]);
  const answer = await waitForAll(a.main, agentIds);

  expect(answer).toMatchObject({ pending: [], timedOut: false });
  const events = () =>
    seen
      .frames()
      .flatMap((frame) => (frame.t === "events" ? frame.ev.map(({ type }) => type) : []));
  await until(() => events().includes("agent:completed"));
  const once = ["group:created", "agent:created", "agent:completed"];
  expect(
    events()
      .filter((type) => once.includes(type))
      .toSorted(),
  ).toEqual(once.toSorted());
});

test("no agent is lost when a second server starts, stops on purpose, or dies and comes back", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const ofA = await running(a, [HANG, HANG]);
  let b = await aServer(url);
  await b.daemon.kill("SIGTERM");
  await sleep(2 * LEASE_MS);
  b = await startAgain(b.place);
  await b.daemon.kill("SIGKILL");
  b = await startAgain(b.place);

  // The first server dies and comes back within its lease, while the second one watches.
  await a.daemon.kill("SIGKILL");
  const again = await startAgain(a.place);
  await sleep(2 * LEASE_MS);

  expect(again.id).toBe(a.id);
  expect((await agentRows(url)).map(({ status, worker_id }) => [status, worker_id])).toEqual([
    ["running", a.id],
    ["running", a.id],
  ]);
  expect(ofA.agentIds.map(isAlive)).toEqual([true, true]);
  // It is supervised again: a stop through the other server ends its process.
  const [first = ""] = ofA.agentIds;
  await b.main.call("cancel_agent", { agentId: first });
  await until(() => !isAlive(first));
});

test("agents of a server that dies are lost once, recorded by one other server, and the group goes on", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const { agentIds, groupId } = await running(a, [HANG, HANG, HANG]);
  const b = await aServer(url);
  const c = await aServer(url);

  await a.daemon.kill("SIGKILL");
  await until(
    async () => (await agentRows(url)).every(({ status }) => status === "lost"),
    undefined,
    TAKEN_OVER_MS,
  );

  // It is logged when all of the take-over is done, which is after the agents are lost.
  const takeOvers = () => [b, c].flatMap(({ place }) => place.log().match(TAKE_OVER) ?? []).length;
  await until(() => takeOvers() > 0, undefined, TAKEN_OVER_MS);
  const completed = await rowsOf(url, "select agent_id from events where type = 'agent:completed'");
  expect(completed.map((row) => String(row["agent_id"])).toSorted()).toEqual(agentIds.toSorted());
  expect(await rowsOf(url, `select id from servers where id = '${a.id}'`)).toEqual([]);
  expect(takeOvers()).toBe(1);
  // The group goes on: it accepts and runs further agents.
  const more = await running(c, [{ prompt: "#rehearsal sleep 50" }]);
  expect(await waitForAll(b.main, more.agentIds)).toMatchObject({ pending: [] });
  expect(await ask(b, "GET", `/api/groups/${groupId}`)).toMatchObject({ status: 200 });

  // The dead server starts again: the processes that were lost are ended, and it works again.
  const again = await startAgain(a.place);
  await until(() => agentIds.every((id) => !isAlive(id)));
  await b.daemon.kill("SIGTERM");
  await c.daemon.kill("SIGTERM");
  const own = await running(again, [{ prompt: "#rehearsal sleep 50" }]);
  expect(await waitForAll(again.main, own.agentIds)).toMatchObject({ pending: [] });
  expect((await agentRows(url)).slice(0, 3).map(({ status }) => status)).toEqual(
    agentIds.map(() => "lost"),
  );
  const verified = await command(again.place, ["audit", "verify"]);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
});

test("an agent whose role says so is started again elsewhere, and a server that is back ends the old attempt", async () => {
  const url = await aMigratedUrl();
  const config = { ...SETTINGS, roles: [{ id: "impl-code", onLost: "requeue" }] };
  const a = await aServer(url, config);
  const { agentIds } = await running(a, [HANG]);
  const [id = ""] = agentIds;
  const b = await aServer(url, config);
  const runsOn = ({ place }: Pick<TestServer, "place">) =>
    processesWith(`KUROMAJUTSU_AGENT_ID=${id}`).some(({ environment }) =>
      environment.some((each) =>
        each.startsWith(`KUROMAJUTSU_SOCKET=${place.env["XDG_RUNTIME_DIR"]}`),
      ),
    );

  await a.daemon.kill("SIGKILL");
  await until(() => runsOn(b), undefined, TAKEN_OVER_MS);

  expect(runsOn(a)).toBe(true);
  await until(async () => (await statusOf(b.main, id)).status === "running");
  const rows = await agentRows(url);
  expect(rows).toMatchObject([{ status: "running", attempt: 2, worker_id: b.id }]);
  const audit = await rowsOf(url, "select subject from audit where action = 'agent.host_lost'");
  expect(audit).toEqual([{ subject: id }]);

  await startAgain(a.place);
  await until(() => !runsOn(a), undefined, 30_000);
  await sleep(LEASE_MS);
  expect(runsOn(b)).toBe(true);
  expect(await agentRows(url)).toMatchObject([{ status: "running", attempt: 2 }]);
});

test("a server that was paused past its lease kills its agents, writes nothing for them, and works again", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const { agentIds } = await running(a, [HANG, { prompt: `#rehearsal sleep ${3 * LEASE_MS}` }]);
  const b = await aServer(url);

  process.kill(a.daemon.pid, "SIGSTOP");
  await until(
    async () => (await agentRows(url)).every(({ status }) => status === "lost"),
    undefined,
    TAKEN_OVER_MS,
  );
  const settled = await rowsOf(url, "select * from agent_results order by agent_id");
  process.kill(a.daemon.pid, "SIGCONT");

  await until(() => agentIds.every((id) => !isAlive(id)), undefined, 15_000);
  expect(a.place.log()).toContain("they took over");
  await b.daemon.kill("SIGTERM");
  const own = await running(a, [{ prompt: "#rehearsal sleep 50" }]);
  expect(await waitForAll(a.main, own.agentIds)).toMatchObject({ pending: [] });
  for (const agentId of agentIds) {
    expect((await statusOf(a.main, agentId)).status).toBe("lost");
  }
  const after = await rowsOf(url, "select * from agent_results order by agent_id");
  expect(after.slice(0, settled.length)).toEqual(settled);
  const completed = await rowsOf(url, "select agent_id from events where type = 'agent:completed'");
  expect(completed).toHaveLength(3);
});

test.runIf(HAS_ALL_ROUNDS)(
  "an isolated agent of a server that dies is settled, and other servers leave its worktree alone before",
  async () => {
    const url = await aMigratedUrl();
    const repository = aRepository();
    const isolated = { ...HANG, isolation: "worktree", workingDirectory: repository.root } as const;
    const a = await aServer(url);
    const { agentIds } = await running(a, [isolated]);
    const b = await aServer(url);
    await sleep(LEASE_MS);
    expect(agentIds.map(isAlive)).toEqual([true]);

    await a.daemon.kill("SIGKILL");

    await until(
      async () => (await agentRows(url)).every(({ process }) => process === "ended"),
      undefined,
      TAKEN_OVER_MS,
    );
    expect(await agentRows(url)).toMatchObject([{ status: "lost", worker_id: a.id, attempt: 1 }]);
    expect(await rowsOf(url, "select agent_id from pending_ends")).toEqual([]);
    const again = await startAgain(a.place);
    await until(() => agentIds.every((id) => !isAlive(id)));
    for (const { place } of [again, b]) expect(place.log()).not.toContain("ERROR");
  },
);
