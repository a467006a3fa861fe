import { expect, test } from "vitest";
import { judgeRunner, type RunnerSeen, type RunSeen } from "./runner-check.ts";

const WORKS: RunSeen = {
  ok: true,
  answered: true,
  connected: true,
  calledTool: true,
  usesOwnMcpEntry: false,
  failure: null,
  reason: null,
  responseMs: 900,
};

function judged(run: Partial<RunSeen> | null, over: Partial<RunnerSeen> = {}) {
  return judgeRunner({
    runner: "claude",
    command: "/bin/claude",
    version: "2.1.325",
    run: run && { ...WORKS, ...run },
    missingVariables: ["ANTHROPIC_API_KEY"],
    checkedAt: 0,
    ...over,
  });
}

test("a CLI that answers, connects and calls the tool works, and nothing has to be done", () => {
  expect(judged({})).toEqual({
    runner: "claude",
    status: "works",
    command: "/bin/claude",
    version: "2.1.325",
    tested: expect.any(Object),
    signedIn: true,
    answered: true,
    connected: true,
    calledTool: true,
    responseTime_ms: 900,
    findings: [],
    missingVariables: ["ANTHROPIC_API_KEY"],
    checkedAt: "1970-01-01T00:00:00.000Z",
  });
});

test("a CLI that is not installed comes with the command that installs it", () => {
  expect(judged(null, { command: null, version: null })).toMatchObject({
    status: "not-found",
    signedIn: null,
    findings: [{ kind: "not-found", run: "npm install -g @anthropic-ai/claude-code" }],
  });
});

const FAILED = { ok: false, answered: false, connected: false, calledTool: false };

test.each([
  ["signed-out", "claude auth login"],
  ["timeout", "claude -p hello"],
  ["not-started", "npm install -g @anthropic-ai/claude-code"],
  ["quota", null],
  [null, "claude -p hello"],
] as const)("a run that fails with %s names the command %s and the CLI's words", (failure, run) => {
  expect(judged({ ...FAILED, failure, reason: "its words" })).toMatchObject({
    status: "failed",
    signedIn: failure === "signed-out" ? false : null,
    findings: [{ kind: failure ?? "failed", run, detail: "its words" }],
  });
});

test("a finding has the words of the CLI without our own advice", () => {
  const reason = "It is not signed in. Run x. The CLI said: Please run /login";
  expect(judged({ ...FAILED, failure: "signed-out", reason }).findings).toEqual([
    { kind: "signed-out", run: "claude auth login", detail: "Please run /login" },
  ]);
});

test("a CLI that answers without connecting has failed, unless it connects only by its own settings", () => {
  const alone = { ok: false, connected: false, calledTool: false };
  expect(judged(alone)).toMatchObject({
    status: "failed",
    signedIn: true,
    findings: [{ kind: "not-connected", run: "claude update" }],
  });
  expect(judged({ ...alone, ok: true, usesOwnMcpEntry: true })).toMatchObject({
    status: "limited",
    findings: [{ kind: "no-mcp-entry", run: "kuromajutsu init" }],
  });
});

test("a CLI whose model calls no tool is limited", () => {
  expect(judged({ calledTool: false })).toMatchObject({
    status: "limited",
    findings: [{ kind: "tool-not-called", run: null }],
  });
});

test.each([
  ["0.0.1", [{ kind: "too-old", run: "claude update", detail: expect.any(String) }]],
  ["999.0.0", [{ kind: "newer-than-tested", run: null, detail: expect.any(String) }]],
  [null, []],
])("a CLI of the version %s works, and its version is noted", (version, findings) => {
  expect(judged({}, { version })).toMatchObject({ status: "works", findings });
});

test("a CLI that was never tested with Kuromajutsu has no note about its version", () => {
  expect(judged({}, { runner: "cursor", version: "1.0" })).toMatchObject({
    tested: null,
    findings: [],
  });
});
