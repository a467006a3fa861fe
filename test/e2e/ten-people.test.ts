import { createHash } from "node:crypto";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { anHttpClient, aPlace, command, until } from "../kit/daemon.ts";
import { aRequest, aStory, hasLive, lastAttempt, LONG_MS, type Answer } from "../kit/story.ts";
import { sharedByTests } from "../kit/when-done.ts";

vi.setConfig({ testTimeout: LONG_MS });

const TEN = Array.from({ length: 10 }, (_, index) => `person-${index}`);
/** The requester of the task. */
const REQUESTER = "person-0";
const VIEWER = "vera";

const tokenFor = (id: string): string => `kmj_token-of-${id}`;
const bearer = (id: string) => ({ authorization: `Bearer ${tokenFor(id)}` });

const approvalShape = z.looseObject({
  approvalId: z.string(),
  kind: z.string(),
  status: z.string(),
  version: z.number(),
  taskId: z.string(),
  shownHash: z.string(),
  shown: z.record(z.string(), z.unknown()),
  decidedBy: z.string().nullable(),
});
type SeenApproval = z.infer<typeof approvalShape>;

type Said = { readonly decision: string; readonly version: number; readonly reason?: string };

/** Ten operators and one viewer, each with a token. */
async function aCompany(config: Record<string, unknown> = {}) {
  const users = [
    ...TEN.map((id) => ({ id, role: id === REQUESTER ? "admin" : "operator" })),
    { id: VIEWER, role: "viewer" },
  ].map((user) => ({
    ...user,
    tokenHash: createHash("sha256").update(tokenFor(user.id)).digest("hex"),
  }));
  const story = await aStory({ auth: { users }, ...config });

  const get = async (path: string) =>
    (await story.ask("GET", path, undefined, bearer(VIEWER))).body;

  return {
    place: story.place,
    stop: story.stop,
    get,
    async create(text = aRequest()): Promise<string> {
      const { body } = await story.ask("POST", "/api/tasks", { text }, bearer(REQUESTER));
      return z.object({ taskId: z.string() }).parse(body).taskId;
    },
    async asked(taskId: string, kind: string): Promise<SeenApproval> {
      const path = `/api/approvals?status=pending&kind=${kind}&taskId=${taskId}`;
      const list = async () =>
        z.object({ approvals: z.array(approvalShape) }).parse(await get(path)).approvals;
      await until(async () => (await list()).length > 0, undefined, LONG_MS);
      return approvalShape.parse((await list())[0]);
    },
    seen: async (id: string) => approvalShape.parse(await get(`/api/approvals/${id}`)),
    rest: (who: string, approvalId: string, said: Said): Promise<Answer> =>
      story.ask("POST", `/api/approvals/${approvalId}/decision`, said, bearer(who)),
    async mcp(who: string) {
      const { client, call } = await anHttpClient(story.url(), { token: tokenFor(who) });
      return {
        client,
        decide: (approvalId: string, said: Said) =>
          call("decide_approval", { approvalId, ...said }),
      };
    },
    async audit(subject: string) {
      const entry = z.looseObject({
        actor: z.string(),
        action: z.string(),
        data: z.record(z.string(), z.unknown()),
      });
      const body = await get(`/api/audit?limit=500&subject=${subject}`);
      return z.object({ entries: z.array(entry) }).parse(body).entries;
    },
    story,
  };
}

/** For tests that look only at their own task and approvals. */
const aSharedCompany = sharedByTests(() => aCompany({ tasks: { approvalExpiry_ms: 3_600_000 } }));

type Company = Awaited<ReturnType<typeof aCompany>>;

/** Half of the people use curl, half an MCP client, all at the same moment. */
async function allAtOnce(company: Company, { approvalId, version }: SeenApproval) {
  const say = (index: number): Said =>
    index % 3 === 2
      ? { decision: "reject", version, reason: `理由 ${index}` }
      : { decision: "approve", version };
  const clients = await Promise.all(TEN.slice(5).map((id) => company.mcp(id)));
  const overRest = TEN.slice(0, 5).map(async (who, index) => {
    const { status, body } = await company.rest(who, approvalId, say(index));
    return { who, hasWon: status === 200, code: body["code"], words: body["detail"], status };
  });
  const overMcp = clients.map(async ({ decide }, index) => {
    const answer = await decide(approvalId, say(index + 5));
    const hasWon = answer["error"] !== true;
    const status = hasWon ? 200 : 409;
    return {
      who: TEN[index + 5] ?? "",
      hasWon,
      code: answer["code"],
      words: answer["message"],
      status,
    };
  });
  return Promise.all([...overRest, ...overMcp]);
}

test("ten people decide the same approval at once: one decision wins, nine are refused with the winner's name, all are audited", async () => {
  const company = await aSharedCompany();
  const taskIds = await Promise.all(TEN.slice(0, 3).map(() => company.create()));

  for (const taskId of taskIds) {
    const approval = await company.asked(taskId, "prompt");

    const said = await allAtOnce(company, approval);

    const winners = said.filter(({ hasWon }) => hasWon).map(({ who }) => who);
    expect(winners).toHaveLength(1);
    const [winner = ""] = winners;
    const decided = await company.seen(approval.approvalId);
    expect(decided.decidedBy).toBe(winner);
    expect(["approved", "rejected"]).toContain(decided.status);
    for (const loser of said.filter(({ hasWon }) => !hasWon)) {
      expect(loser).toMatchObject({ status: 409, code: "APPROVAL_ALREADY_DECIDED" });
      // REST answers in the language of the daemon, MCP in English.
      const ja = decided.status === "approved" ? "承認" : "却下";
      expect(loser.words).toMatch(
        new RegExp(`${winner} (?:${decided.status}|が \\S+ に${ja}しました)`),
      );
    }

    const entries = await company.audit(approval.approvalId);
    expect(entries.filter(({ action }) => action === "approval.decided")).toMatchObject([
      { actor: winner, data: { status: decided.status, shownHash: approval.shownHash } },
    ]);
    const refused = entries.filter(({ action }) => action === "approval.refused");
    expect(refused.map(({ actor }) => actor).toSorted()).toEqual(
      TEN.filter((id) => id !== winner).toSorted(),
    );
  }
});

test("ten people approve the same held call at once: the call is made once", async () => {
  const company = await aSharedCompany();
  const taskId = await company.create(aRequest("check step-2"));
  for (const kind of ["prompt", "process"]) {
    const { approvalId, version } = await company.asked(taskId, kind);
    await company.rest("person-1", approvalId, { decision: "approve", version });
  }
  const { approvalId, version } = await company.asked(taskId, "step");
  const clients = await Promise.all(TEN.slice(5).map((id) => company.mcp(id)));
  const yes = { decision: "approve", version };
  const writes = () => company.story.notes().filter(({ what }) => what === "wrote").length;
  const before = writes();
  await Promise.all([
    ...TEN.slice(0, 5).map((who) => company.rest(who, approvalId, yes)),
    ...clients.map(({ decide }) => decide(approvalId, yes)),
  ]);

  await until(
    async () => (await company.get(`/api/tasks/${taskId}`))["status"] === "completed",
    undefined,
    LONG_MS,
  );
  // The held call and the last step.
  expect(writes()).toBe(before + 2);
  const entries = await company.audit(approvalId);
  expect(entries.filter(({ action }) => action === "approval.decided")).toHaveLength(1);
  expect(entries.filter(({ action }) => action === "approval.refused")).toHaveLength(9);
});

/** Tries it through both doors; the only effect must be an audit entry for each. */
async function refusedTo(company: Company, who: string, before: SeenApproval, said: Said) {
  const { approvalId, taskId } = before;
  const task = await company.get(`/api/tasks/${taskId}`);
  const audited = (await company.audit(approvalId)).length;

  const rest = await company.rest(who, approvalId, said);
  const mcp = await (await company.mcp(who)).decide(approvalId, said);

  expect(mcp).toMatchObject({ error: true, code: rest.body["code"] });
  expect(await company.seen(approvalId)).toEqual(before);
  expect(await company.get(`/api/tasks/${taskId}`)).toMatchObject({
    status: task["status"],
    version: task["version"],
  });
  const entries = await company.audit(approvalId);
  const fresh = entries.slice(0, entries.length - audited);
  expect(fresh.map(({ actor, action, data }) => [actor, action, data["code"]])).toEqual([
    [who, "approval.refused", rest.body["code"]],
    [who, "approval.refused", rest.body["code"]],
  ]);
  return rest;
}

test("decisions with a stale version, by the wrong person or on a decided approval are refused, audited and change nothing", async () => {
  const company = await aCompany({ tasks: { approval: "not-requester" } });
  const taskId = await company.create();
  const approval = await company.asked(taskId, "prompt");
  const { approvalId, version } = approval;
  const yes = { decision: "approve", version };

  const tooNew = { ...yes, version: version + 1 };
  expect(await refusedTo(company, "person-1", approval, tooNew)).toMatchObject({
    status: 409,
    body: { code: "VERSION_CONFLICT" },
  });
  expect(await refusedTo(company, REQUESTER, approval, yes)).toMatchObject({
    status: 403,
    body: { code: "APPROVAL_NOT_YOURS", hint: expect.stringContaining("person-0 以外の利用者") },
  });
  expect(
    await refusedTo(company, "person-1", approval, { decision: "reject", version, reason: "  " }),
  ).toMatchObject({ status: 400, body: { code: "INVALID_ARGUMENTS" } });

  expect(await company.rest("person-2", approvalId, yes)).toMatchObject({ status: 200 });
  const decided = await company.seen(approvalId);
  await company.asked(taskId, "process");
  expect(await refusedTo(company, "person-3", decided, yes)).toMatchObject({
    status: 409,
    body: {
      code: "APPROVAL_ALREADY_DECIDED",
      detail: expect.stringMatching(/person-2 が .* に承認しました/),
    },
  });
});

test("an extended approval has a new version, and a decision on the old one is refused", async () => {
  const company = await aSharedCompany();
  const taskId = await company.create();
  const { approvalId, version } = await company.asked(taskId, "prompt");
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();

  const path = `/api/approvals/${approvalId}/extend`;
  const more = { expiresAt, version };
  const extended = await company.story.ask("POST", path, more, bearer("person-4"));

  expect(extended).toMatchObject({ status: 200, body: { expiresAt, version: version + 1 } });
  const yes = { decision: "approve", version };
  const stale = await refusedTo(company, "person-1", await company.seen(approvalId), yes);
  expect(stale).toMatchObject({ status: 409, body: { code: "VERSION_CONFLICT" } });
  const fresh = { ...yes, version: version + 1 };
  expect((await company.rest("person-1", approvalId, fresh)).status).toBe(200);
});

test("a decision on an expired approval is refused, audited and changes nothing", async () => {
  const company = await aCompany({ tasks: { approvalExpiry_ms: 5_000 } });
  const taskId = await company.create();
  const { approvalId, version } = await company.asked(taskId, "prompt");
  await until(async () => (await company.seen(approvalId)).status === "expired");
  const yes = { decision: "approve", version };

  const expired = await company.seen(approvalId);
  expect(await refusedTo(company, "person-1", expired, yes)).toMatchObject({
    status: 409,
    body: { code: "APPROVAL_EXPIRED", hint: expect.stringContaining("再実行すると") },
  });
});

test("a viewer and an agent cannot decide an approval; their attempts are audited", async () => {
  const company = await aSharedCompany();
  const taskId = await company.create(aRequest("in executor hang"));
  for (const kind of ["prompt", "process"]) {
    const { approvalId, version } = await company.asked(taskId, kind);
    await company.rest("person-1", approvalId, { decision: "approve", version });
  }
  await until(async () => hasLive(await taskOf(company, taskId)), undefined, LONG_MS);
  const other = await company.create();
  const approval = await company.asked(other, "prompt");
  const { approvalId, version } = approval;
  const yes = { decision: "approve", version };

  expect(await company.rest(VIEWER, approvalId, yes)).toMatchObject({ status: 403 });
  const viewer = await company.mcp(VIEWER);
  expect(await viewer.decide(approvalId, yes)).toMatchObject({ code: "NOT_ALLOWED" });

  const agentId = lastAttempt(await taskOf(company, taskId)).agentId ?? "";
  const agent = await company.story.as(agentId);
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain("decide_approval");
  expect(await agent.call("decide_approval", { approvalId, ...yes })).toMatchObject({
    code: "NOT_ALLOWED",
  });

  expect(await company.seen(approvalId)).toEqual(approval);
  const byRest = await company.audit(encodeURIComponent(`/api/approvals/${approvalId}/decision`));
  expect(byRest).toMatchObject([
    { actor: VIEWER, action: "request.refused", data: { code: "NOT_ALLOWED" } },
  ]);
  const byMcp = await company.audit("decide_approval");
  expect(byMcp.map(({ actor, action, data }) => [actor, action, data["code"]])).toEqual([
    [`agent:${agentId}`, "tool.refused", "NOT_ALLOWED"],
    [VIEWER, "tool.refused", "NOT_ALLOWED"],
  ]);
});

async function taskOf({ story, get }: Company, taskId: string) {
  return story.read(await get(`/api/tasks/${taskId}`));
}

test("`audit verify` accepts the audit, and finds one changed row in a copy of it", async () => {
  const company = await aCompany();
  const taskId = await company.create();
  await allAtOnce(company, await company.asked(taskId, "prompt"));
  const { place } = company;
  const asked = { ...place, env: { ...place.env, KUROMAJUTSU_TOKEN: tokenFor(VIEWER) } };
  expect(await command(asked, ["audit", "verify"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("監査の記録に問題はありません"),
  });

  await company.stop();
  const copy = aPlace();
  cpSync(place.dataDir, copy.dataDir, { recursive: true });
  expect(await command(copy, ["audit", "verify"])).toMatchObject({ code: 0 });
  const db = new DatabaseSync(join(copy.dataDir, "kuromajutsu.db"));
  db.exec("drop trigger audit_is_not_changed");
  const { changes } = db
    .prepare("update audit set actor = 'person-9' where action = 'approval.decided'")
    .run();
  db.close();
  expect(changes).toBe(1);

  const broken = await command(copy, ["audit", "verify"]);
  expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining("件目で壊れています") });
  expect(await command(place, ["audit", "verify"])).toMatchObject({ code: 0 });
});
