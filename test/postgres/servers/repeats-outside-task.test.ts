import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { systemRandom } from "../../../src/adapters/world.ts";
import { decideApproval } from "../../../src/app/approvals/decide-approval.ts";
import { LOCAL_USER } from "../../../src/app/core.ts";
import { aFreeAgent, callsOf, DELETE } from "../../kit/agent-call.ts";
import { aCore, aRole, type TestCore } from "../../kit/core.ts";
import { pendingApprovals, refusalOf, textOf } from "../../kit/execution.ts";
import { held } from "../../kit/fake-upstream.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";

/** An agent outside a task whose calls reach two servers on one database. */
async function twoServers() {
  const url = await aMigratedUrl();
  const open = async () => {
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    return store;
  };
  const free = await aFreeAgent({ store: await open(), serverId: "b" });
  const { upstream, agentId } = free;
  const roles = [aRole({ mcpServers: ["hr"] })];
  const a = await aCore({ store: await open(), serverId: "a", upstream, roles });
  for (const core of [a, free.core]) Object.assign(core, { random: systemRandom });
  return {
    a: { core: a, ...callsOf(a, agentId) },
    b: { core: free.core, ...callsOf(free.core, agentId) },
    sent: () => upstream.sent.filter(({ tool }) => tool === DELETE).length,
    upstream,
  };
}

/** For any arguments, so that the next equal calls pass, too. */
async function approve(core: TestCore): Promise<void> {
  await expect.poll(async () => (await pendingApprovals(core)).length).toBe(1);
  const [asked] = await pendingApprovals(core);
  if (!asked) throw new Error("nothing is asked");
  await decideApproval(core, LOCAL_USER, {
    approvalId: asked.id,
    version: asked.version,
    decision: "approve",
    scope: "any_arguments",
  });
}

test("a checked call that is repeated on purpose at another server is made twice", async () => {
  const { a, b, sent } = await twoServers();
  const first = b.callTool(DELETE, { id: 1 });
  await approve(a.core);
  await first;

  await a.callTool(DELETE, { id: 1 });
  await b.callTool(DELETE, { id: 1 });

  expect(sent()).toBe(3);
});

test("a checked call under way at another server is waited for, and nobody is asked about it", async () => {
  const { a, b, sent, upstream } = await twoServers();
  const slow = held();
  upstream.on(DELETE, slow.reply);
  const first = b.callTool(DELETE, { id: 1 });
  await approve(a.core);
  await expect.poll(sent).toBe(1);

  const again = a.callTool(DELETE, { id: 1 });
  // Another call settles what it takes for lost.
  await a.callTool("list");
  slow.letGo("deleted");

  expect([textOf(await first), textOf(await again)]).toEqual(["deleted", "deleted"]);
  expect(sent()).toBe(1);
  expect(await pendingApprovals(a.core)).toEqual([]);
});

test("an answer that did not reach its agent is given by another server, unless the agent went on with another call", async () => {
  const { a, b, sent, upstream } = await twoServers();
  const client = new AbortController();
  upstream.on(DELETE, async () => {
    client.abort();
    return { content: [{ type: "text", text: "deleted" }], isError: false };
  });
  const first = b.callTool(DELETE, { id: 1 }, { signal: client.signal });
  await approve(a.core);
  await first;

  expect(textOf(await a.callOnce(DELETE, { id: 1 }))).toBe("deleted");
  expect(sent()).toBe(1);

  const again = new AbortController();
  upstream.on(DELETE, async () => {
    again.abort();
    return { content: [{ type: "text", text: "deleted" }], isError: false };
  });
  await b.callTool(DELETE, { id: 2 }, { signal: again.signal });
  await a.callTool("list");
  await a.callTool(DELETE, { id: 2 });
  expect(sent()).toBe(3);
});

test("a call that another server has not sent in time is refused there, and can be made here", async () => {
  const { a, b, sent } = await twoServers();
  const { store } = b.core;
  Object.assign(b.core, {
    store: {
      ...store,
      async transaction(work: Parameters<typeof store.transaction>[0]) {
        const done = await store.transaction(work);
        const forwarded = await store.listForwardedAgentCalls();
        if (forwarded.length > 0) await new Promise((resolve) => setTimeout(resolve, 2_300));
        return done;
      },
    },
  });
  const late = refusalOf(b.callTool(DELETE, { id: 1 }));
  await approve(a.core);
  await expect.poll(async () => (await store.listForwardedAgentCalls()).length).toBe(1);

  const here = a.callTool(DELETE, { id: 1 });

  expect((await late).code).toBe("UPSTREAM_FAILED");
  await here;
  expect(sent()).toBe(1);
});
