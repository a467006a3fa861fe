import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aGroup, runAll, waitForAll } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  agentRows,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  running,
  SETTINGS,
  startAgain,
} from "../../kit/postgres/servers.ts";
import { HAS_ALL_ROUNDS } from "../../kit/rounds.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ONE_SLOT = {
  ...SETTINGS,
  agent: { ...SETTINGS.agent, maxConcurrent: 1 },
  history: { keep_days: 1 },
};

/** As if the agent had come so much earlier: only rows say when that was. */
function moveBack(url: string, agentId: string, ms: number) {
  return rowsOf(
    url,
    `update agents set created_at = created_at - ${ms}, started_at = started_at - ${ms}
      where id = '${agentId}' returning id`,
  );
}

test.runIf(HAS_ALL_ROUNDS)(
  "an agent that has run for 25 hours and one that has waited for 15 days are still there, also after restarts",
  async () => {
    const url = await aMigratedUrl();
    let a = await aServer(url, ONE_SLOT);
    const old = await running(a, [{ prompt: "#rehearsal hang" }]);
    const [runningId = ""] = old.agentIds;
    const waiting = await runAll(a.main, await aGroup(a.main), [{ prompt: "#rehearsal sleep 50" }]);
    const [waitingId = ""] = waiting;
    expect(await moveBack(url, runningId, 25 * HOUR_MS)).toHaveLength(1);
    expect(await moveBack(url, waitingId, 15 * DAY_MS)).toHaveLength(1);

    // A server purges history, looks for deadlines and adopts its agents when it starts.
    const b = await aServer(url, ONE_SLOT);
    await a.daemon.kill("SIGKILL");
    a = await startAgain(a.place);
    await sleep(2 * LEASE_MS);

    const states = async () =>
      (await agentRows(url)).map(({ id, process, attempt }) => [id, process, attempt]);
    expect(await states()).toEqual([
      [runningId, "alive", 1],
      [waitingId, "waiting", 0],
    ]);
    expect(isAlive(runningId)).toBe(true);

    await b.main.call("cancel_agent", { agentId: runningId });
    await until(() => !isAlive(runningId));
    expect(await waitForAll(b.main, waiting)).toMatchObject({
      pending: [],
      completed: [{ agentId: waitingId, status: "resultReported" }],
    });
  },
);
