import { expect, test } from "vitest";
import { ask, audited } from "../../../test/kit/approvals.ts";
import { aGroup, anAgent } from "../../../test/kit/builders.ts";
import { anHttpClient } from "../../../test/kit/daemon.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { aCoreWithPeople, tokenOf } from "../../../test/kit/people.ts";
import { systemTokens } from "../../adapters/world.ts";
import type { PersonRole } from "../../domain/people/person.ts";
import { TOOLS } from "./tools.ts";

const PEOPLE = { vera: "viewer", ben: "operator", aoi: "admin" } as const;

async function aDoor(people: Readonly<Record<string, PersonRole>> = PEOPLE) {
  const core = await aCoreWithPeople(people);
  const { url } = await anHttpDoor(core, { tools: TOOLS });
  const client = (token?: string) => anHttpClient(url, token === undefined ? {} : { token });
  return { core, url, client };
}

test("a client with a person's token lists what waits and decides it", async () => {
  const { core, client } = await aDoor();
  const approval = await ask(core);
  const { call } = await client(tokenOf("ben"));

  expect(await call("list_approvals")).toMatchObject({
    approvals: [{ approvalId: approval.id, version: 1, shown: approval.shown, isYours: true }],
  });
  const decided = await call("decide_approval", {
    approvalId: approval.id,
    version: 1,
    decision: "approve",
  });

  expect(decided).toMatchObject({ status: "approved", decidedBy: "ben", yes: 1, yesNeeded: 1 });
  expect(await core.store.getApproval(approval.id)).toMatchObject({ decidedBy: "ben" });
});

test("clients and agents neither see the approval tools nor may call them", async () => {
  const { core, client } = await aDoor({});
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    for (const role of ["impl-code", "orchestrator", "executor"]) {
      const tokenHash = systemTokens.hash(`token-${role}`);
      const id = `${role}-1794733200-a3f2` as const;
      const running = { process: "alive", status: "running" } as const;
      await unit.insertAgent(anAgent({ id, role, tokenHash, ...running }), "x");
    }
  });
  const approval = await ask(core);

  for (const token of [undefined, "token-impl-code", "token-orchestrator", "token-executor"]) {
    const { client: mcp, call } = await client(token);
    const { tools } = await mcp.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).not.toContain("decide_approval");
    expect(names).not.toContain("list_approvals");
    const answer = await call("decide_approval", {
      approvalId: approval.id,
      version: 1,
      decision: "approve",
    });
    expect(answer["code"]).toBe(token === undefined ? "PERSON_NEEDED" : "NOT_ALLOWED");
  }
  expect((await core.store.getApproval(approval.id))?.status).toBe("pending");
});

test.each(["mcp", "rest"])("an agent cannot hide over %s which approval it tried", async (door) => {
  const { core, url, client } = await aDoor({});
  const tokenHash = systemTokens.hash("agent-token");
  const agent = anAgent({ process: "alive", status: "running", tokenHash });
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertAgent(agent, "x");
  });
  const approval = await ask(core);
  const { call } = await client("agent-token");
  const body = { version: 1, decision: "approve" };
  const overRest = (id: string) =>
    fetch(`${url}/api/approvals/${id}/decision`, {
      method: "POST",
      headers: { authorization: "Bearer agent-token", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const decide = (approvalId: string) =>
    door === "mcp" ? call("decide_approval", { approvalId, ...body }) : overRest(approvalId);

  for (let n = 0; n < 40; n++) await decide(`invented-${n}`);
  await decide(approval.id);

  const refused = (await audited(core)).filter(({ action }) => action.endsWith(".refused"));
  expect(refused).toHaveLength(21);
  expect(refused.at(-1)?.actor).toBe(`agent:${agent.id}`);
  expect(JSON.stringify(refused.at(-1))).toContain(approval.id);
});

test("with sign-in a client without a token, or with a wrong one, gets in nowhere", async () => {
  const { client } = await aDoor();

  await expect(client()).rejects.toThrow(/401|NOT_SIGNED_IN|Unauthorized/);
  await expect(client("kmj_wrong")).rejects.toThrow(/401|NOT_ALLOWED|Unauthorized/);
});

test("a viewer's client only looks", async () => {
  const { client } = await aDoor();
  const { client: mcp, call } = await client(tokenOf("vera"));

  const { tools } = await mcp.listTools();
  const names = tools.map(({ name }) => name);

  expect(names).toContain("list_agents");
  expect(names).toContain("list_approvals");
  for (const name of ["run_agents", "create_group", "cancel_agent", "decide_approval"]) {
    expect(names).not.toContain(name);
  }
  expect(await call("create_group", { description: "x" })).toMatchObject({
    code: "NOT_ALLOWED",
    message: "vera is viewer; this needs operator.",
  });
});

test("ten people deciding through REST and MCP at once: one decision, nine told who won", async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `person-${index}`);
  const { core, url, client } = await aDoor(
    Object.fromEntries(ids.map((id) => [id, "operator"] as const)),
  );
  const approval = await ask(core);
  const said = { version: 1, decision: "approve" };
  const clients = await Promise.all(ids.slice(5).map((id) => client(tokenOf(id))));
  const overRest = ids.slice(0, 5).map(async (id) => {
    const response = await fetch(`${url}/api/approvals/${approval.id}/decision`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokenOf(id)}`,
        "content-type": "application/json",
        "accept-language": "en",
      },
      body: JSON.stringify(said),
    });
    const body: unknown = await response.json();
    return { status: response.status, text: JSON.stringify(body) };
  });
  const overMcp = clients.map(async ({ call }) => {
    const answer = await call("decide_approval", { approvalId: approval.id, ...said });
    return { status: "error" in answer ? 409 : 200, text: JSON.stringify(answer) };
  });

  const answers = await Promise.all([...overRest, ...overMcp]);

  const winner = (await core.store.getApproval(approval.id))?.decidedBy ?? "nobody";
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const late = answers.filter(({ status }) => status === 409);
  expect(late).toHaveLength(9);
  for (const { text } of late) {
    expect(text).toContain("APPROVAL_ALREADY_DECIDED");
    expect(text).toContain(`${winner} approved`);
  }
  const actions = (await audited(core)).map(({ action }) => action).sort();
  expect(actions).toEqual([
    "approval.decided",
    ...Array.from({ length: 9 }, () => "approval.refused"),
  ]);
});
