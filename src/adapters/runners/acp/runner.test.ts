import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runnerContract } from "../../../../test/contract/runner-contract.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import type { RunRequest } from "../../../app/ports/runner.ts";
import { createAcpRunner } from "./runner.ts";

const HOST = ["/usr/bin/node", "/opt/app/acp-host.js"];
const GEMINI = "/usr/local/bin/gemini";

runnerContract("acp", () => ({
  runner: createAcpRunner({ host: HOST, command: ["opencode", "acp"] }),
  command: "/usr/local/bin/opencode",
  program: HOST[0],
  stream: readFileSync("test/kit/streams/acp-whole-run.ndjson", "utf8"),
  folded: {
    lines: 13,
    toolCallCount: 4,
    lastMessage: "The work is done.",
    editedFiles: ["/srv/app/old.txt"],
    createdFiles: ["/srv/app/new.txt"],
    usage: { inputTokens: 6_000, outputTokens: 250, cacheReadTokens: 0, cacheWriteTokens: 0 },
    sessionId: "67177e13-da1e-4333-b01c-66daeaa95cbf",
    reportedModel: "gemini-2.5-pro",
    lastTool: { name: "report_result", ok: true, output: '{"accepted":true}', endedAt: null },
    end: { ok: true, text: "The work is done.", durationMs: 10_170, error: null },
  },
  samples: [
    { line: "Loading…", events: undefined },
    { line: '{"type":"something_new"}', events: undefined },
    { line: '{"type":"cost","costUsd":-1}', events: undefined },
    { line: '{"type":"cost","costUsd":0.5}', events: [{ type: "cost", costUsd: 0.5 }] },
    {
      line: '{"type":"warning","text":"Read-only cannot be guaranteed."}',
      events: [{ type: "warning", text: "Read-only cannot be guaranteed." }],
    },
  ],
}));

const request: RunRequest = {
  agentId: "impl-code-1794733200-a3f2",
  model: null,
  prompt: "依頼",
  workingDirectory: "/srv/app",
  access: "read-only",
  runDirectory: "/data/run",
  mcp: null,
};

test("the host starts the CLI with the arguments that make it speak ACP", () => {
  const runner = createAcpRunner({ host: HOST });

  const { argv, env } = runner.command({ ...request, resumeSession: "s-1" }, GEMINI);

  expect(argv.join(" ")).toBe(
    `${HOST.join(" ")} --access=read-only --asks-first --resume=s-1 -- ${GEMINI} --acp`,
  );
  expect(env).toMatchObject({ GEMINI_CLI_NO_RELAUNCH: "true" });
});

const MCP = { name: "kuromajutsu", command: ["/usr/bin/node", "mcp"], variables: [] };

test.each([
  ["/opt/gemini", false],
  ["/opt/opencode", false],
  ["/opt/claude-agent-acp", true],
  ["/opt/codex-acp", true],
  ["/opt/other", true],
])("%s gets our MCP server once: over ACP is %s", (program, overAcp) => {
  const runner = createAcpRunner({ host: HOST, command: [program] });

  const { argv, env, files = [] } = runner.command({ ...request, mcp: MCP }, program);

  expect(argv.some((each) => each.startsWith("--mcp="))).toBe(overAcp);
  const isInSettings = JSON.stringify([env, files]).includes("/usr/bin/node");
  expect(isInSettings).toBe(!overAcp);
});

test("a reading role cannot write by the settings of the known CLIs", () => {
  const commandOf = (program: string) =>
    createAcpRunner({ host: HOST, command: [program] }).command(request, `/opt/${program}`);

  expect(commandOf("codex-acp").argv).toContain("--mode=read-only");
  expect(commandOf("claude-agent-acp").argv.join(" ")).toMatch(/"tools":\["Read",[^\]]*\]/);
  expect(commandOf("opencode").argv).toContain(`--mode=${request.agentId}`);
  expect(commandOf("opencode").env["OPENCODE_CONFIG_CONTENT"]).toContain('"*":"deny"');
  expect(commandOf("gemini").files?.[0]?.content).toContain('"exclude"');
});

test("a CLI that we have not run is not said to ask first", () => {
  const runner = createAcpRunner({ host: HOST, command: ["other", "--stdio"] });

  const { argv } = runner.command(request, "/opt/bin/other");

  expect(argv).not.toContain("--asks-first");
  expect(argv.slice(-3)).toEqual(["--", "/opt/bin/other", "--stdio"]);
});

test("without a configured command the first known CLI on PATH is used", async () => {
  expect(await createAcpRunner({ host: HOST, path: () => aTempDir() }).detect()).toBeUndefined();
});

const nameIn = (...command: readonly string[]) =>
  createAcpRunner({ host: HOST, command }).toolName("report_result");

test("the prompt names our tools as the configured CLI shows them", () => {
  expect(nameIn("gemini", "--acp")).toBe("mcp_kuromajutsu_report_result");
  expect(nameIn("/opt/opencode", "acp")).toBe("kuromajutsu_report_result");
  expect(nameIn("other")).toBe("report_result");
});
