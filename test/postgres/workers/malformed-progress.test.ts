import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { abandonRestored } from "../../../src/app/agents/abandon-restored.ts";
import { recordObservations } from "../../../src/app/agents/record-observations.ts";
import { takeOver } from "../../../src/app/servers/take-over.ts";
import type { AgentId } from "../../../src/domain/ids.ts";
import { aCore, aRole, ended, someProgress, started, type TestCore } from "../../kit/core.ts";
import { anIsolatedAgent } from "../../kit/isolated-agents.ts";
import { launchesOf, withLabels } from "../../kit/labelled-agents.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { rowsOf } from "../../kit/postgres/servers.ts";
import { aRepository } from "../../kit/repository.ts";

const ROLES = [aRole({ onLost: "requeue" }), aRole({ id: "code-review" })];
/** PostgreSQL has no fractions of tokens. */
const FRACTION = `usage = '{"inputTokens":1.5,"outputTokens":2,"cacheReadTokens":0,"cacheWriteTokens":0}'`;
/** A text that is none ends the work of the server with an error. */
const NO_TEXT = `activity = '{"warnings":[null]}'`;

async function aHost() {
  const url = await aMigratedUrl();
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return { url, core: await aCore({ serverId: "a", roles: ROLES, store }) };
}

/** Agents at work on the host "a". The rows of the first two are as a worker without checks left them. */
async function aHostWithMalformed() {
  const { url, core } = await aHost();
  const [fraction = NONE] = await withLabels(core, [[]], { role: "code-review" });
  const [noText = NONE] = await withLabels(core, [[]]);
  const [good = NONE] = await withLabels(core, [[]], { role: "code-review" });
  await launchesOf(core, 3);
  const progress = someProgress({ end: null });
  for (const agentId of [fraction, noText, good]) {
    await core.observe(started(agentId), { type: "progress", agentId, attempt: 1, progress });
  }
  await malform(url, fraction, FRACTION);
  await malform(url, noText, NO_TEXT);
  return { core, fraction, noText, good };
}

const NONE: AgentId = "no-agent-0";

async function malform(url: string, id: AgentId, change: string): Promise<void> {
  await rowsOf(url, `update agent_progress set ${change} where agent_id = '${id}'`);
}

const agentOf = (core: TestCore, id: AgentId) => core.store.getAgent(id);

test("agents whose stored progress is malformed are settled with their host, and so are all others", async () => {
  const { core, fraction, noText, good } = await aHostWithMalformed();
  const other = await aCore({
    serverId: "b",
    roles: ROLES,
    store: core.store,
    offer: { slots: 0 },
  });

  expect(await takeOver(other, "a", () => false)).toMatchObject({ agents: 3 });

  expect(await agentOf(other, fraction)).toMatchObject({ status: "lost", process: "ended" });
  // The rest of what it did is known.
  expect(await other.store.getResult(fraction)).toMatchObject({
    toolCallCount: 3,
    usage: { inputTokens: 2, outputTokens: 2 },
  });
  expect(await agentOf(other, noText)).toMatchObject({ status: "queued", process: "waiting" });
  expect(await agentOf(other, good)).toMatchObject({ status: "lost", process: "ended" });
});

test("an isolated agent whose stored progress is malformed is captured and settled with its host", async () => {
  const { url, core } = await aHost();
  const { agent } = await anIsolatedAgent(core, aRepository());
  const progress = someProgress({ end: null });
  await core.observe({ type: "progress", agentId: agent.id, attempt: 1, progress });
  await malform(url, agent.id, FRACTION);
  const other = await aCore({ serverId: "b", roles: ROLES, store: core.store });

  await takeOver(other, "a", () => false);

  expect(await agentOf(other, agent.id)).toMatchObject({ status: "lost", process: "ended" });
});

test("an isolated agent whose end was stored with a malformed progress is settled with its host", async () => {
  const { url, core } = await aHost();
  const { agent } = await anIsolatedAgent(core, aRepository());
  const other = await aCore({ serverId: "b", roles: ROLES, store: core.store });
  const paused = { ...core, provisioning: { ...core.provisioning, captureSoon() {} } };
  await recordObservations(paused, [ended(agent.id, { progress: someProgress() })]);
  await rowsOf(
    url,
    `update pending_ends set "end" = jsonb_set("end"::jsonb, '{progress,usage}',
      '{"inputTokens":1.5,"outputTokens":2,"cacheReadTokens":0,"cacheWriteTokens":0}')::text`,
  );

  await takeOver(other, "a", () => false);

  expect(await agentOf(other, agent.id)).toMatchObject({ process: "ended" });
});

test("an agent that cannot be settled with its progress is settled without it, and others with theirs", async () => {
  const { url, core } = await aHost();
  const ids = await withLabels(core, [[], []], { role: "code-review" });
  await launchesOf(core, 2);
  for (const [n, agentId] of ids.entries()) {
    const usage = { inputTokens: 1 - n, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const progress = someProgress({ end: null, usage });
    await core.observe(started(agentId), { type: "progress", agentId, attempt: 1, progress });
  }
  const [agent] = await core.store.getAgents(ids);
  const day = new Date(core.clock.now()).toISOString().slice(0, 10);
  // No further token fits into the sum of the day.
  await rowsOf(
    url,
    `insert into usage_daily values ('${day}', '${agent?.runner}', '${agent?.model}', 'code-review',
      '', 0, 0, 1, ${2n ** 63n - 1n}, 0, 0, 0)`,
  );
  const other = await aCore({ serverId: "b", roles: ROLES, store: core.store });

  await takeOver(other, "a", () => false);

  const results = await Promise.all(ids.map((id) => other.store.getResult(id)));
  expect(results).toMatchObject([{ toolCallCount: 0, usage: null }, { toolCallCount: 3 }]);
});

test("after a restore, agents whose stored progress is malformed are abandoned, and so are all others", async () => {
  const { core, fraction, noText, good } = await aHostWithMalformed();
  const other = await aCore({ serverId: "b", roles: ROLES, store: core.store });

  await abandonRestored(other, { createdAt: "2026-01-01T00:00:00Z" }, "all");

  for (const id of [fraction, noText, good]) {
    expect(await agentOf(other, id)).toMatchObject({ status: "lost", process: "ended" });
  }
});
