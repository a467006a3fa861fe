import { expect, test } from "vitest";
import { brokenCli } from "../../../test/kit/broken-clis.ts";
import { aCore, aRole, aRunner } from "../../../test/kit/core.ts";
import { aHealthCore } from "../../../test/kit/health.ts";
import type { Core } from "../core.ts";
import type { HealthProbe, Question } from "../ports/health.ts";
import type { Runner } from "../ports/runner.ts";
import { checkHealth } from "./check-health.ts";
import { checkRunner, viewClis } from "./check-runner.ts";

const OK = { ok: true, reason: null, responseMs: 900, failure: null };

type Doing = (question: Question, core: Core) => void;

/** A core whose CLI does this with the token of its run, and then answers. */
async function aCoreWhoseCli(does: Doing, over: Partial<Runner> = {}) {
  const core = await aHealthCore({ folder: brokenCli("counts"), roles: [aRole()] });
  const asked: Question[] = [];
  const healthProbe: HealthProbe = {
    async ask(question) {
      asked.push(question);
      does(question, core);
      return OK;
    },
  };
  const cursor = core.runners.get("cursor");
  if (!cursor) throw new Error("There is no runner.");
  const runner: Runner = { ...cursor, usesOwnMcpEntry: false, version: async () => "1.0", ...over };
  const environment: Core["environment"] = {
    ...core.environment,
    forProbe: (_runner, token = "", keys = {}) => ({ ...keys, TOKEN: token }),
  };
  const runners: Core["runners"] = new Map([["cursor", runner]]);
  return { core: { ...core, healthProbe, environment, runners }, asked };
}

/** The probe that belongs to the token in the environment of the CLI. */
const probeOf = ({ env }: Question, core: Core) =>
  core.health.probes.find(core.tokens.hash(env["TOKEN"] ?? ""));

const nothing: Doing = () => {};
const connects: Doing = (question, core) => probeOf(question, core)?.markConnected();
const callsTool: Doing = (question, core) => {
  connects(question, core);
  probeOf(question, core)?.markCalled();
};

test("a CLI that connects and calls the tool with its one-run token works", async () => {
  const { core, asked } = await aCoreWhoseCli(callsTool);

  expect(await checkRunner(core, "cursor")).toMatchObject({
    status: "works",
    command: `${brokenCli("counts")}/agent`,
    version: "1.0",
    signedIn: true,
    connected: true,
    calledTool: true,
    responseTime_ms: 900,
    findings: [],
  });
  expect(asked).toMatchObject([{ model: null, access: "read-only", mcp: { name: "kuromajutsu" } }]);
  expect(core.health.runner("cursor")?.status).toBe("works");
  expect(core.published.map(({ type }) => type)).toEqual(["healthcheck:runner_complete"]);
});

test("the token of a run is worthless after the run, and is redacted in what the CLI says", async () => {
  const { core, asked } = await aCoreWhoseCli(callsTool);
  await checkRunner(core, "cursor");
  const [question] = asked;
  if (!question) throw new Error("The CLI was not asked.");

  expect(probeOf(question, core)).toBeUndefined();
  expect(question.env["TOKEN"]).toMatch(/.{20}/);
  expect(question.secrets).toContain(question.env["TOKEN"]);
});

test("the prompt names the tool as this CLI shows it, and ends with the prompt of the role", async () => {
  const { core, asked } = await aCoreWhoseCli(callsTool, { toolName: (tool) => `mcp__x__${tool}` });
  await checkHealth(core, { force: true });

  expect(asked[0]?.prompt).toContain("mcp__x__check_connection");
  expect(asked[0]?.prompt.endsWith("\n\nHello, respond with exactly: OK")).toBe(true);
  expect(asked[0]).toMatchObject({ access: "read-write", model: "claude-4-sonnet" });
});

test("a role whose CLI answers without connecting is not available, and the reason says so", async () => {
  const { core } = await aCoreWhoseCli(nothing);
  await checkHealth(core, { force: true });

  expect(core.health.get("impl-code")).toMatchObject({
    available: false,
    healthCheck: {
      status: "failed",
      reason: expect.stringContaining("did not connect"),
      connected: false,
      calledTool: false,
    },
  });
  expect(core.health.runner("cursor")).toMatchObject({
    status: "failed",
    findings: [{ kind: "not-connected", run: "agent update" }],
  });
});

test("a CLI that takes servers only from its own settings stays available, with a hint", async () => {
  const { core } = await aCoreWhoseCli(nothing, { usesOwnMcpEntry: true });
  await checkHealth(core, { force: true });

  expect(core.health.get("impl-code")).toMatchObject({
    available: true,
    healthCheck: { status: "passed", reason: expect.stringContaining("kuromajutsu init") },
  });
  expect(core.health.runner("cursor")?.status).toBe("limited");
});

test("a CLI that connects but calls no tool passes, with a remark", async () => {
  const { core } = await aCoreWhoseCli(connects);
  await checkHealth(core, { force: true });

  expect(core.health.get("impl-code")).toMatchObject({
    healthCheck: {
      status: "passed",
      reason: "It connected, but its model called no tool.",
      connected: true,
      calledTool: false,
    },
  });
});

test.each([
  ["fails", "failed", { kind: "signed-out", run: "agent login" }],
  ["no-trust", "failed", { kind: "directory-not-trusted", run: "agent update" }],
  ["no-interpreter", "failed", { kind: "not-started" }],
  ["garbage", "failed", { kind: "failed", run: "agent -p --trust hello" }],
  ["counts", "limited", { kind: "no-mcp-entry", run: "kuromajutsu init" }],
] as const)(
  "a check of a CLI that is `%s` says %s and what to do",
  async (kind, status, finding) => {
    const core = await aHealthCore({ folder: brokenCli(kind) });
    expect(await checkRunner(core, "cursor")).toMatchObject({ status, findings: [finding] });
  },
);

test("a check of a CLI that hangs ends at the time limit and says how to look at it", async () => {
  const healthCheck = { enabled: true, cacheTtlMs: 0, timeoutMs: 300, concurrency: 2 };
  const core = await aHealthCore({ folder: brokenCli("hangs"), settings: { healthCheck } });
  expect(await checkRunner(core, "cursor")).toMatchObject({
    status: "failed",
    version: null,
    signedIn: null,
    findings: [{ kind: "timeout", run: "agent -p --trust hello" }],
  });
});

test("a check of a missing CLI starts no process and names the command that installs it", async () => {
  const { core, asked } = await aCoreWhoseCli(nothing, { detect: async () => undefined });
  expect(await checkRunner(core, "cursor")).toMatchObject({
    status: "not-found",
    findings: [{ kind: "not-found", run: expect.stringContaining("cursor.com/install") }],
  });
  expect(asked).toEqual([]);
});

test("concurrent checks of a CLI share one run", async () => {
  const { core, asked } = await aCoreWhoseCli(callsTool);
  const [one, other] = await Promise.all([
    checkRunner(core, "cursor"),
    checkRunner(core, "cursor"),
  ]);
  expect(asked).toHaveLength(1);
  expect(one).toBe(other);
});

const KEYS = { CURSOR_API_KEY: "k" };

test("a check with a key that only the caller has uses it, and nothing is learned from it", async () => {
  const { core, asked } = await aCoreWhoseCli(callsTool);

  expect(await checkRunner(core, "cursor", { ...KEYS, ANTHROPIC_API_KEY: "other" })).toMatchObject({
    status: "works",
    clientKeys: ["CURSOR_API_KEY"],
  });
  expect(asked[0]?.env).toEqual({ ...KEYS, TOKEN: expect.anything() });
  expect(asked[0]?.secrets).toContain("k");
  expect(core.health.runner("cursor")).toBeUndefined();
  expect(core.published).toEqual([]);
});

test("a failed check with a caller's own key pauses no agents that lack this key", async () => {
  const { core } = await aCoreWhoseCli(nothing);
  const failed = { ...OK, ok: false, failure: "quota" as const, reason: "used up" };
  await checkRunner({ ...core, healthProbe: { ask: async () => failed } }, "cursor", KEYS);
  expect(core.health.problem("cursor")).toBeUndefined();
});

test("concurrent checks with different keys do not share a run", async () => {
  const { core, asked } = await aCoreWhoseCli(callsTool);
  await Promise.all([
    checkRunner(core, "cursor"),
    checkRunner(core, "cursor", KEYS),
    checkRunner(core, "cursor", KEYS),
    checkRunner(core, "cursor", { CURSOR_API_KEY: "of another terminal" }),
  ]);
  // Each check looks for the CLI on the disk first, so the order of the runs is not known.
  expect(asked.map(({ env }) => env["CURSOR_API_KEY"] ?? "").toSorted()).toEqual([
    "",
    "k",
    "of another terminal",
  ]);
});

test("a check does not use a caller's key if the daemon has one of that name", async () => {
  const { core, asked } = await aCoreWhoseCli(callsTool);
  const environment = { ...core.environment, has: () => true };
  const check = await checkRunner({ ...core, environment }, "cursor", KEYS);
  expect(check).not.toHaveProperty("clientKeys");
  expect(asked[0]?.env).not.toHaveProperty("CURSOR_API_KEY");
});

test.each(["rehearsal", "gemini"] as const)(
  "a check of %s, which is no CLI here, is refused",
  async (id) => {
    const { core } = await aCoreWhoseCli(nothing);
    await expect(async () => checkRunner(core, id)).rejects.toMatchObject({
      code: "INVALID_ARGUMENTS",
      hint: "Use one of: cursor.",
    });
  },
);

test("the list of CLIs shows a missing CLI without a check, and no check of a CLI that was removed", async () => {
  const core = await aHealthCore({ folder: brokenCli("counts") });
  const command = `${brokenCli("counts")}/agent`;
  expect(await viewClis(core)).toEqual([{ runner: "cursor", command, check: null }]);

  const check = await checkRunner(core, "cursor");
  expect(await viewClis(core)).toEqual([{ runner: "cursor", command, check }]);

  const removed = await aHealthCore({ folder: "/nowhere" });
  removed.health.learnRunner(check);
  expect(await viewClis(removed)).toMatchObject([
    { runner: "cursor", command: null, check: { status: "not-found" } },
  ]);
});

test("the list of CLIs shows ACP only if a role is set to use it", async () => {
  const core = await aCore();
  const runners = new Map([...core.runners, ["acp", aRunner("acp", core.installed)] as const]);
  const shown = async (over: Partial<Core>) =>
    (await viewClis({ ...core, runners, ...over })).map(({ runner }) => runner);

  expect(await shown({})).toEqual(["cursor"]);
  expect(await shown({ settings: { ...core.settings, runner: "acp" } })).toContain("acp");
  expect(await shown({ roles: new Map([["x", aRole({ runner: "acp" })]]) })).toContain("acp");
});
