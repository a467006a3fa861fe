import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { socketPathFor } from "../../src/adapters/config/locate.ts";
import { openStore } from "../../src/adapters/store/open-store.ts";
import { waitForAll } from "../kit/agents.ts";
import {
  aDaemon,
  aPlace,
  aStdioClient,
  run,
  withFakeCursor,
  type Place,
  type TestClient,
} from "../kit/daemon.ts";
import { rounds } from "../kit/rounds.ts";

const KILLS = rounds({ all: 100, few: 4 });
/** wait_agent takes at most this many ids. */
const MAX_WAITED = 1_000;

type Acknowledged = { groups: string[]; agents: string[] };

test(`kill -9 of the daemon at ${KILLS} random moments neither loses nor duplicates an acknowledged agent`, async () => {
  const place = withFakeCursor(aPlace());
  const startLog = join(place.dir, "starts");
  writeFileSync(startLog, "");
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    `agent:
  maxConcurrent: 6
  env: [FAKE_AGENT_SLEEP, FAKE_AGENT_LOG]
roles:
  - { id: rehearser, name: R, description: r, model: m, systemPrompt: s, runner: rehearsal }
`,
  );
  Object.assign(place.env, { FAKE_AGENT_SLEEP: "0.15", FAKE_AGENT_LOG: startLog });

  const done = new AbortController();
  const acknowledged: Acknowledged = { groups: [], agents: [] };
  const asking = ask(place, acknowledged, done.signal);
  await killAgainAndAgain(place, () => acknowledged.agents.length > KILLS / 5);
  done.abort();
  await aDaemon(place);
  const client = await asking;

  for (let from = 0; from < acknowledged.agents.length; from += MAX_WAITED) {
    const answer = await waitForAll(client, acknowledged.agents.slice(from, from + MAX_WAITED));
    expect(answer).toMatchObject({ pending: [], timedOut: false });
  }
  await expectAllThere(place, acknowledged, readFileSync(startLog, "utf8"));
  // One hundred kills take about 150 times as long as one start does on this machine.
}, 1_200_000);

/** Some daemons must live long enough to serve requests, also while other work slows the machine. */
async function timeToStart(place: Place): Promise<number> {
  const began = performance.now();
  const daemon = await aDaemon(place);
  const startMs = performance.now() - began;
  await daemon.kill("SIGKILL");
  return startMs;
}

/** Kills the daemon while it starts, opens its doors, resumes or serves. */
async function killAgainAndAgain(place: Place, hasServed: () => boolean): Promise<void> {
  let startMs = 0;
  for (let kill = 0; kill < KILLS || !hasServed(); kill++) {
    if (kill % 10 === 0) startMs = await timeToStart(place);
    const daemon = run(place, ["serve"]);
    daemon.stderr?.on("data", (chunk) => {
      writeFileSync(join(place.dir, "log"), String(chunk), { flag: "a" });
    });
    const gone = new Promise((resolve) => daemon.once("exit", resolve));
    await sleep(Math.random() * 2.5 * startMs);
    daemon.kill("SIGKILL");
    await gone;
  }
}

/** One client, never restarted, starts agents all the time and records what was acknowledged. */
async function ask(
  place: Place,
  acknowledged: Acknowledged,
  done: AbortSignal,
): Promise<TestClient> {
  const socket = socketPathFor(place.dataDir, place.env);
  const client = await aStdioClient({
    ...place,
    env: { ...place.env, KUROMAJUTSU_SOCKET: socket },
  });
  for (let round = 0; !done.aborted; round++) {
    const group = created.safeParse(
      await client.call("create_group", { description: `回 ${round}` }),
    );
    if (!group.success) continue;
    acknowledged.groups.push(group.data.groupId);
    const roles = round % 10 === 0 ? ["impl-code", "rehearser"] : ["impl-code", "impl-test"];
    const agents = started.safeParse(
      await client.call("run_agents", {
        groupId: group.data.groupId,
        agents: roles.map((role) => ({ role, prompt: promptFor(role, round) })),
      }),
    );
    if (agents.success)
      acknowledged.agents.push(...agents.data.agents.map(({ agentId }) => agentId));
    await sleep(30);
  }
  return client;
}

/** On a slow machine it may take longer than the usual minute until a daemon lives long enough to serve. */
function promptFor(role: string, round: number): string {
  return role === "rehearser" ? `${round}\n#rehearsal retry-for 600000` : `${round}`;
}

const created = z.object({ groupId: z.string() });
const started = z.object({ agents: z.array(z.object({ agentId: z.string() })) });

async function expectAllThere(
  place: Place,
  { groups, agents }: Acknowledged,
  starts: string,
): Promise<void> {
  const startsOf = Map.groupBy(starts.trim().split("\n"), (id) => id);
  const known = new Set(agents);
  const others = [...startsOf].filter(([id, times]) => times.length > 1 || !known.has(id));
  const store = await openStore({ dataDir: place.dataDir });
  try {
    for (const id of groups) expect(await store.getGroup(id)).toHaveProperty("status", "active");
    for (const id of agents) {
      const agent = await store.getAgent(id);
      if (!agent) throw new Error(`${id} is lost`);
      const isRehearsal = agent.runner === "rehearsal";
      expect(agent).toMatchObject({
        id,
        status: isRehearsal ? "resultReported" : "completed",
        process: "ended",
        exitCode: 0,
      });
      const result = await store.getResult(agent.id);
      expect(result).toMatchObject({ status: "success", toolCallCount: 1 });
      const { offset } = await store.getProgress(agent.id);
      expect(offset).toBe(
        statSync(join(place.dataDir, "spool", `${id}.${agent.attempt}.out`)).size,
      );
      const seen = { agent, result, others };
      const once = isRehearsal ? [] : [id];
      expect({ started: startsOf.get(id) ?? [], ...seen }).toEqual({ started: once, ...seen });
    }
  } finally {
    await store.close();
  }
}
