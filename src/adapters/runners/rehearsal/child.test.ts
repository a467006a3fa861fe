import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { fold } from "../../../../test/contract/runner-contract.ts";
import type { AgentProgress } from "../../../domain/progress.ts";
import { buildFullPrompt } from "../../../domain/prompt.ts";
import { createRehearsalRunner } from "./runner.ts";

const AGENT_ID = "impl-code-1794733200-a3f2";
const CHILD = resolve("src/adapters/runners/rehearsal/child.ts");
const runner = createRehearsalRunner({ command: [process.execPath, CHILD] });

let cwd: string;
const children = new Set<ChildProcess>();
const daemons = new Set<Daemon>();

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "rehearsal-"));
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all([...daemons].map((daemon) => daemon.stop()));
  daemons.clear();
  await rm(cwd, { recursive: true });
});

describe("without a daemon", () => {
  test("an ordinary run says that it is a rehearsal, and ends well", async () => {
    const { progress, code, stdout } = await run("画面を直す");

    expect(code).toBe(0);
    expect(progress.end).toMatchObject({ ok: true, error: null });
    expect(progress.end?.text).toContain("リハーサル");
    expect(progress).toMatchObject({ usage: null, toolCallCount: 0, reportedModel: "rehearsal" });
    expect(stdout).toContain("画面を直す");
  });

  test("files are really written, and known as tool calls", async () => {
    const { progress } = await run(
      "#rehearsal write deep/new.txt hello world\n#rehearsal edit deep/new.txt again\n#rehearsal edit ../out.txt no",
    );

    expect(await readFile(join(cwd, "deep/new.txt"), "utf8")).toBe("hello world\nagain\n");
    expect(progress.toolCallCount).toBe(3);
    expect(progress.createdFiles).toEqual([join(cwd, "deep/new.txt")]);
    await expect(readFile(join(cwd, "../out.txt"))).rejects.toThrow("ENOENT");
  });

  test("a read-only run writes nothing", async () => {
    await writeFile(join(cwd, "kept.txt"), "kept");

    const { progress } = await run("#rehearsal write kept.txt gone", { access: "read-only" });

    expect(await readFile(join(cwd, "kept.txt"), "utf8")).toBe("kept");
    expect(progress).toMatchObject({ toolCallCount: 1, editedFiles: [], createdFiles: [] });
  });

  test("all five layers and two megabytes arrive", async () => {
    const prompt = aPrompt(`#rehearsal echo-prompt seen.txt\n${"あ".repeat(700_000)}`);

    const { code } = await run(prompt);

    expect(code).toBe(0);
    expect(await readFile(join(cwd, "seen.txt"), "utf8")).toBe(prompt);
  });

  test("what is said, counted and asked for is in the stream", async () => {
    const { progress, stdout, stderr } = await run(
      [
        "#rehearsal say 進んでいます 👩‍💻",
        "#rehearsal deltas 1200",
        "#rehearsal garbage 5",
        "#rehearsal long-line 70000",
        "#rehearsal stderr 困った",
        "#rehearsal stderr-flood 200000",
        "#rehearsal usage 11 22",
      ].join("\n"),
    );

    expect(progress).toMatchObject({
      skippedLines: 5,
      usage: { inputTokens: 11, outputTokens: 22, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
    expect(progress.lines).toBeGreaterThan(1_200);
    expect(stdout).toContain('"usage_asked_for":true');
    expect(stdout.split("\n").map((line) => line.length)).toContain(70_000);
    expect(stderr.startsWith("困った\n")).toBe(true);
    expect(stderr.length).toBe("困った\n".length + 200_000);
  });

  test.each([
    ["#rehearsal fail 運がない", { code: 1, signal: null, error: "リハーサル: 運がない" }],
    ["#rehearsal dance", { code: 1, signal: null, error: expect.stringContaining("dance") }],
    ["#rehearsal tool x [1]", { code: 1, signal: null, error: expect.stringContaining("JSON") }],
    ["#rehearsal exit 7", { code: 7, signal: null, error: undefined }],
    ["#rehearsal crash", { code: null, signal: "SIGKILL", error: undefined }],
  ])("%s ends it as asked", async (prompt, { code, signal, error }) => {
    const ended = await run(prompt);

    expect({ code: ended.code, signal: ended.signal }).toEqual({ code, signal });
    expect(ended.progress.end?.error).toEqual(error);
    expect(ended.progress.end?.ok).not.toBe(true);
  });

  test("a stop in the middle ends it quickly, with no result", async () => {
    const started = start("#rehearsal say 始めた\n#rehearsal sleep 60000");
    await started.said("始めた");

    started.child.kill("SIGTERM");
    const { code, progress } = await started.ended;

    expect(code).toBe(143);
    expect(progress.end).toBeNull();
  });

  test("one that ignores the stop goes on until it is killed", async () => {
    const started = start("#rehearsal ignore-term\n#rehearsal say 始めた\n#rehearsal hang");
    await started.said("始めた");

    started.child.kill("SIGTERM");
    await sleep(300);
    expect(started.child.exitCode).toBeNull();
    started.child.kill("SIGKILL");

    expect((await started.ended).signal).toBe("SIGKILL");
  });

  test("one that lingers lives on after its result", async () => {
    const started = start("#rehearsal linger 60000");
    await started.said('"type":"result"');
    await sleep(100);

    expect(started.child.exitCode).toBeNull();
    started.child.kill("SIGTERM");
    expect((await started.ended).progress.end?.ok).toBe(true);
  });

  test("a grandchild in a session of its own outlives it and holds its output", async () => {
    const started = start("#rehearsal grandchild 2500\n#rehearsal no-report");

    await once(started.child, "exit");
    const exitedAt = performance.now();
    const { progress, stdout } = await started.ended;

    expect(performance.now() - exitedAt).toBeGreaterThan(200);
    expect(progress).toMatchObject({ toolCallCount: 1, end: { ok: true } });
    expect(stdout).toMatch(/"pid":\d+/);
  });
});

describe("with a daemon", () => {
  test("it reports for itself, with its token, and says that no model was asked", async () => {
    const daemon = await aDaemon();

    const { code, progress } = await run(
      aPrompt("画面を直す\n#rehearsal write new.txt x"),
      daemon.env,
    );

    expect(code).toBe(0);
    expect(progress).toMatchObject({ toolCallCount: 2, end: { ok: true } });
    expect(daemon.tokens).toEqual(new Set(["Bearer token-1"]));
    expect(daemon.reports).toEqual([
      {
        agentId: AGENT_ID,
        status: "success",
        summary: expect.stringMatching(/^リハーサル.*「画面を直す」/),
        response: expect.stringMatching(/^リハーサル/),
        createdFiles: [join(cwd, "new.txt")],
        editedFiles: [],
      },
    ]);
  });

  test("a report can be ordered where it is wanted, and left out", async () => {
    const daemon = await aDaemon();

    await run(aPrompt("#rehearsal report failure 無理でした\n#rehearsal say その後"), daemon.env);
    await run(aPrompt("#rehearsal no-report"), daemon.env);

    expect(daemon.reports).toMatchObject([
      {
        status: "failure",
        summary: "リハーサル: 無理でした",
        errorMessage: "リハーサル: 無理でした",
      },
    ]);
  });

  test("a tool is really called, with our ids filled in, and its answer is in the stream", async () => {
    const daemon = await aDaemon();

    const { progress, stdout } = await run(
      aPrompt(
        [
          '#rehearsal tool echo {"text":"{{agentId}} in {{groupId}}"}',
          "#rehearsal tool no_such_tool {}",
          "#rehearsal no-report",
        ].join("\n"),
      ),
      daemon.env,
    );

    expect(stdout).toContain(`heard ${AGENT_ID} in grp-1794733200-b4e1`);
    expect(progress).toMatchObject({ toolCallCount: 2, end: { ok: true } });
  });

  test("a report that is refused is a failed run", async () => {
    const daemon = await aDaemon({ refuses: true });

    const { code, progress } = await run(aPrompt("画面を直す"), daemon.env);

    expect(code).toBe(1);
    expect(progress.end).toMatchObject({ ok: false, error: expect.stringContaining("NOT_YOURS") });
  });

  test("an agent id that is not the prompt's is not reported for", async () => {
    const daemon = await aDaemon();

    const { code, progress } = await run(aPrompt("画面を直す"), {
      ...daemon.env,
      KUROMAJUTSU_AGENT_ID: "impl-code-1794733200-ffff",
    });

    expect(code).toBe(1);
    expect(progress.end?.error).toContain("食い違います");
    expect(daemon.reports).toEqual([]);
  });

  test("a daemon that never comes makes a failed run, in the time allowed", async () => {
    const daemon = await aDaemon();
    await daemon.stop();

    const { code, progress } = await run(aPrompt("#rehearsal retry-for 400"), daemon.env);

    expect(code).toBe(1);
    expect(progress.end?.error).toContain("報告できませんでした");
  });

  test("a wrong token is not tried again", async () => {
    const daemon = await aDaemon();

    const { code, progress } = await run(aPrompt("画面を直す"), {
      ...daemon.env,
      KUROMAJUTSU_AGENT_TOKEN: "wrong",
    });

    expect(code).toBe(1);
    expect(progress.end?.ok).toBe(false);
    expect(daemon.reports).toEqual([]);
  });

  test("a daemon that comes up late is waited for", async () => {
    const daemon = await aDaemon();
    await daemon.stop();
    const started = start(aPrompt("#rehearsal say 始めた"), daemon.env);
    await started.said('"report_result"');
    await sleep(300);

    await daemon.listen();

    expect((await started.ended).code).toBe(0);
    expect(daemon.reports).toHaveLength(1);
  });

  test.each(["dies", "stops"] as const)(
    "a daemon that %s during the report hears it again when it is back",
    async (ending) => {
      const daemon = await aDaemon({ ending, restartsDuring: "report_result" });

      const { code, progress } = await run(aPrompt("画面を直す"), daemon.env);

      expect(code).toBe(0);
      expect(progress.end?.ok).toBe(true);
      expect(daemon.reports).toHaveLength(2);
      expect(daemon.reports[1]).toEqual(daemon.reports[0]);
    },
  );

  test("a call that says it must not run twice is not repeated after a restart", async () => {
    const daemon = await aDaemon({ restartsDuring: "launch" });

    const { code, stdout } = await run(aPrompt("#rehearsal tool launch {}"), daemon.env);

    expect(daemon.launches).toBe(1);
    expect(stdout).toContain("outcome is unknown");
    expect(code).toBe(0);
  });
});

function aPrompt(userPrompt: string): string {
  return buildFullPrompt({
    agentId: AGENT_ID,
    groupId: "grp-1794733200-b4e1",
    role: { id: "impl-code", systemPrompt: "あなたは実装者です。\n#rehearsal crash" },
    tools: [],
    previousStageResults: null,
    userPrompt,
  });
}

type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly progress: AgentProgress;
};
type RunOptions = Readonly<Record<string, string>>;

function run(prompt: string, options: RunOptions = {}): Promise<Ended> {
  return start(prompt, options).ended;
}

/** `options` are variables of its environment, and its access. */
function start(prompt: string, { access, ...env }: RunOptions = {}) {
  const { argv, stdin } = runner.command(
    {
      agentId: AGENT_ID,
      model: "any",
      prompt,
      workingDirectory: cwd,
      access: access === "read-only" ? access : "read-write",
    },
    process.execPath,
  );
  const child = spawn(argv[0] ?? "", argv.slice(1), {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  children.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.end(stdin);

  async function end(): Promise<Ended> {
    await once(child, "close");
    children.delete(child);
    const progress = fold(runner, Buffer.from(stdout), { skipsDeltas: false });
    return { code: child.exitCode, signal: child.signalCode, stdout, stderr, progress };
  }

  async function said(words: string): Promise<void> {
    while (!stdout.includes(words)) await sleep(10);
  }

  return { child, said, ended: end() };
}

type DaemonOptions = {
  readonly refuses?: boolean;
  /** Ends in the middle of the first call of this tool, and comes back on the same port. */
  readonly restartsDuring?: string;
  /** Whether it breaks its connections or ends the answers it owes, empty. */
  readonly ending?: "dies" | "stops";
};
type Daemon = Awaited<ReturnType<typeof aDaemon>>;

/** As much of a daemon as the child sees. */
async function aDaemon(options: DaemonOptions = {}) {
  const reports: unknown[] = [];
  const tokens = new Set<string | undefined>();
  let launches = 0;
  let port = 0;
  let server: Server | undefined;
  let handler = createMcpHandler(createMcp);
  let hasRestarted = false;

  async function restartDuring(tool: string): Promise<void> {
    if (tool !== options.restartsDuring || hasRestarted) return;
    hasRestarted = true;
    await stop();
    await sleep(200);
    await listen();
  }

  function createMcp(): McpServer {
    const mcp = new McpServer({ name: "test", version: "0" });
    const inputSchema = z.looseObject({});
    mcp.registerTool("report_result", { inputSchema }, async (report, { mcpReq }) => {
      if (options.refuses) return { isError: true, content: [{ type: "text", text: "NOT_YOURS" }] };
      reports.push(report);
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken !== undefined) {
        // Now the head of the answer is on its way, and only its end is missing.
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress: 1 },
        });
        await sleep(50);
      }
      await restartDuring("report_result");
      return { content: [{ type: "text", text: '{"registered":true}' }] };
    });
    const notTwice = { inputSchema, annotations: { idempotentHint: false } };
    mcp.registerTool("launch", notTwice, async () => {
      launches += 1;
      await restartDuring("launch");
      return { content: [{ type: "text", text: "launched" }] };
    });
    mcp.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: "text", text: `heard ${text}` }],
    }));
    return mcp;
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    tokens.add(request.headers.authorization);
    if (request.headers.authorization !== "Bearer token-1") {
      response.writeHead(401).end();
      return;
    }
    const { method = "GET", url = "/" } = request;
    void toNodeHandler(handler)(Object.assign(request, { method, url }), response);
  }

  async function listen(): Promise<void> {
    handler = createMcpHandler(createMcp, { responseMode: "sse" });
    server = createServer(answer).listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address === "object" && address) port = address.port;
  }

  async function stop(): Promise<void> {
    if (!server?.listening) return;
    const closed = once(server, "close");
    server.close();
    if (options.ending === "stops") {
      await handler.close();
      await sleep(50);
    }
    server.closeAllConnections();
    await closed;
  }

  await listen();
  const daemon = {
    reports,
    tokens,
    get launches() {
      return launches;
    },
    env: {
      KUROMAJUTSU_MCP_URL: `http://127.0.0.1:${port}/mcp`,
      KUROMAJUTSU_AGENT_TOKEN: "token-1",
      KUROMAJUTSU_AGENT_ID: AGENT_ID,
    },
    listen,
    stop,
  };
  daemons.add(daemon);
  return daemon;
}
