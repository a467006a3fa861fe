import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aGroup,
  readSpool,
  runAll,
  statusOf,
  untilSaid,
  waitForAll,
  waitForResults,
} from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, until, type Place } from "../kit/daemon.ts";
import { aGate } from "../kit/gate.ts";
import { processesWith } from "../kit/processes.ts";

/** The pid of the wrapper, from its status file. */
function wrapperOf(place: Place, agentId: string): number {
  return Number(/^pid (\d+)/m.exec(readSpool(place, agentId, "status"))?.[1]);
}

/** By then a rehearsal has read its directives, even if twelve of them start on a busy machine. */
const STARTED_BY_MS = 10_000;

test("every way an agent can end leads to a status and a result that says what happened", async () => {
  const place = aPlace();
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    "agent:\n  lingerAfterEnd_ms: 5000\n  hardKillAfter_ms: 300\n  maxSpool_bytes: 200000\n",
  );
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const cases: [string, { timeout_ms?: number }, string, Record<string, unknown>][] = [
    [
      "#rehearsal write made.txt こんにちは",
      {},
      "resultReported",
      { status: "success", createdFiles: [expect.stringContaining("made.txt")], toolCallCount: 2 },
    ],
    ["#rehearsal no-report", {}, "completed", { status: "success", exitCode: 0 }],
    [
      "#rehearsal report failure できませんでした",
      {},
      "resultReported",
      { status: "failure", summary: expect.stringContaining("できませんでした") },
    ],
    [
      "#rehearsal no-report\n#rehearsal fail quota",
      {},
      "failed",
      { status: "failure", errorMessage: expect.stringContaining("quota"), exitCode: 1 },
    ],
    [
      "#rehearsal stderr 大変だ\n#rehearsal exit 7",
      {},
      "failed",
      { status: "failure", exitCode: 7, errorMessage: expect.stringContaining("大変だ") },
    ],
    [
      "#rehearsal exit 0",
      {},
      "failed",
      {
        status: "failure",
        exitCode: 0,
        errorMessage: expect.stringContaining("without a result event"),
      },
    ],
    ["#rehearsal crash", {}, "failed", { status: "failure", exitCode: 137 }],
    [
      "#rehearsal say 途中まで\n#rehearsal hang",
      { timeout_ms: STARTED_BY_MS },
      "timedOut",
      { status: "timeout", summary: expect.stringContaining("途中まで") },
    ],
    [
      "#rehearsal ignore-term\n#rehearsal hang",
      { timeout_ms: STARTED_BY_MS },
      "timedOut",
      { status: "timeout", exitCode: 137 },
    ],
    ["#rehearsal no-report\n#rehearsal linger 60000", {}, "completed", { status: "success" }],
    [
      "#rehearsal no-report\n#rehearsal long-line 400000\n#rehearsal hang",
      {},
      "failed",
      { status: "failure", errorMessage: expect.stringContaining("maxSpool_bytes") },
    ],
    [
      "#rehearsal no-report\n#rehearsal garbage 3",
      {},
      "completed",
      {
        status: "success",
        warnings: expect.arrayContaining([expect.stringContaining("3 lines")]),
      },
    ],
  ];

  const groupId = await aGroup(client);
  const ids = await runAll(
    client,
    groupId,
    cases.map(([prompt, over]) => ({ prompt, ...over })),
  );
  await waitForAll(client, ids);

  for (const [index, [prompt, , status, result]] of cases.entries()) {
    const seen = await statusOf(client, ids[index] ?? "");
    expect({ prompt, ...seen }).toMatchObject({ prompt, status, result });
  }
});

test("an agent whose wrapper was killed is lost, with an unknown exit code and its output so far", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const [agentId = ""] = await runAll(client, await aGroup(client), [
    { prompt: "#rehearsal say ここまで\n#rehearsal sleep 60000\n#rehearsal no-report" },
  ]);
  await untilSaid(place, agentId, "ここまで");

  process.kill(wrapperOf(place, agentId), "SIGKILL");
  await waitForAll(client, [agentId]);

  expect(await statusOf(client, agentId)).toMatchObject({
    status: "lost",
    result: {
      status: "failure",
      exitCode: "unknown",
      summary: expect.stringContaining("ここまで"),
    },
  });
});

test("agents that ended while no daemon ran are settled with their exit codes at the next start", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const client = await anHttpClient(first.url);
  const gate = aGate(place);
  const ids = await runAll(client, await aGroup(client), [
    { prompt: `#rehearsal no-report\n#rehearsal ${gate.waits}` },
    { prompt: `#rehearsal ${gate.waits}\n#rehearsal exit 9` },
  ]);
  await until(async () => (await client.call("list_agents", { status: "running" }))["total"] === 2);

  await first.kill("SIGKILL");
  gate.open();
  await until(() => ids.every((id) => readSpool(place, id, "status").includes("exit")));
  const second = await aDaemon(place);
  const again = await anHttpClient(second.url);
  await waitForAll(again, ids);

  expect(await statusOf(again, ids[0] ?? "")).toMatchObject({
    status: "completed",
    result: { exitCode: 0 },
  });
  expect(await statusOf(again, ids[1] ?? "")).toMatchObject({
    status: "failed",
    result: { exitCode: 9 },
  });
});

test("a grandchild in its own session does not survive a timeout", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const [agentId = ""] = await runAll(client, await aGroup(client), [
    { prompt: "#rehearsal grandchild 60000\n#rehearsal hang", timeout_ms: 1_000 },
  ]);

  await waitForAll(client, [agentId]);

  expect(processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`)).toEqual([]);
});

test("an agent that reports and never exits has a result at once, outlives its daemon and is stopped later", async () => {
  const place = aPlace();
  const configure = (lingerMs: number) =>
    writeFileSync(
      join(place.dir, "kuromajutsu.config.yaml"),
      `agent:\n  lingerAfterEnd_ms: ${lingerMs}\n  hardKillAfter_ms: 300\n`,
    );
  configure(3_600_000);
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client);
  const [agentId = ""] = await runAll(client, groupId, [{ prompt: "#rehearsal linger 3600000" }]);
  const isAlive = () => processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`).length > 0;

  expect(await waitForResults(client, [agentId])).toMatchObject({
    completed: [{ agentId, status: "resultReported" }],
    pending: [],
  });
  expect(await statusOf(client, agentId)).toMatchObject({ result: { status: "success" } });
  expect(isAlive()).toBe(true);

  await daemon.kill("SIGKILL");
  configure(200);
  const again = await anHttpClient((await aDaemon(place)).url);
  expect(await waitForResults(again, [agentId])).toMatchObject({
    completed: [{ agentId, status: "resultReported" }],
  });
  expect(await again.call("delete_group", { groupId })).toMatchObject({ deleted: true });
  await until(() => !isAlive());
  await waitForAll(again, [agentId]);
  expect(await statusOf(again, agentId)).toMatchObject({
    status: "resultReported",
    result: { status: "success" },
  });
});
