import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aStage, type Stage } from "../../test/kit/rehearsal/stage.ts";
import { aToolDaemon, type ToolDaemonOptions } from "../../test/kit/rehearsal/tool-daemon.ts";
import { buildFullPrompt } from "../domain/agents/prompt.ts";

const AGENT_ID = "impl-code-1794733200-a3f2";

let stage: Stage;
let cwd: string;

beforeEach(async () => {
  stage = await aStage(AGENT_ID);
  cwd = stage.cwd;
});

afterEach(() => stage.clear());

describe("without a daemon", () => {
  test("an ordinary run says that it is a rehearsal, and ends well", async () => {
    const { progress, code, stdout } = await stage.run("画面を直す");

    expect(code).toBe(0);
    expect(progress.end).toMatchObject({ ok: true, error: null });
    expect(progress.end?.text).toContain("リハーサル");
    expect(progress).toMatchObject({ usage: null, toolCallCount: 0, reportedModel: "rehearsal" });
    expect(stdout).toContain("画面を直す");
  });

  test("files are really written, and known as tool calls", async () => {
    const { progress } = await stage.run(
      "#rehearsal write deep/new.txt hello world\n#rehearsal edit deep/new.txt again\n#rehearsal edit ../out.txt no",
    );

    expect(await readFile(join(cwd, "deep/new.txt"), "utf8")).toBe("hello world\nagain\n");
    expect(progress.toolCallCount).toBe(3);
    expect(progress.createdFiles).toEqual([join(cwd, "deep/new.txt")]);
    await expect(readFile(join(cwd, "../out.txt"))).rejects.toThrow("ENOENT");
  });

  test("a read-only run writes nothing", async () => {
    await writeFile(join(cwd, "kept.txt"), "kept");

    const { progress } = await stage.run("#rehearsal write kept.txt gone", { access: "read-only" });

    expect(await readFile(join(cwd, "kept.txt"), "utf8")).toBe("kept");
    expect(progress).toMatchObject({ toolCallCount: 1, editedFiles: [], createdFiles: [] });
  });

  test("all five layers and two megabytes arrive", async () => {
    const prompt = aPrompt(`#rehearsal echo-prompt seen.txt\n${"あ".repeat(700_000)}`);

    const { code } = await stage.run(prompt);

    expect(code).toBe(0);
    expect(await readFile(join(cwd, "seen.txt"), "utf8")).toBe(prompt);
  });

  test("what is said, counted and asked for is in the stream", async () => {
    const { progress, stdout, stderr } = await stage.run(
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
    const ended = await stage.run(prompt);

    expect({ code: ended.code, signal: ended.signal }).toEqual({ code, signal });
    expect(ended.progress.end?.error).toEqual(error);
    expect(ended.progress.end?.ok).not.toBe(true);
  });

  test("a stop in the middle ends it quickly, with no result", async () => {
    const started = stage.start("#rehearsal say 始めた\n#rehearsal sleep 60000");
    await started.said("始めた");

    started.child.kill("SIGTERM");
    const { code, progress } = await started.ended;

    expect(code).toBe(143);
    expect(progress.end).toBeNull();
  });

  test("one that ignores the stop goes on until it is killed", async () => {
    const started = stage.start("#rehearsal ignore-term\n#rehearsal say 始めた\n#rehearsal hang");
    await started.said("始めた");

    started.child.kill("SIGTERM");
    await sleep(300);
    expect(started.child.exitCode).toBeNull();
    started.child.kill("SIGKILL");

    expect((await started.ended).signal).toBe("SIGKILL");
  });

  test("one that lingers lives on after its result", async () => {
    const started = stage.start("#rehearsal linger 60000");
    await started.said('"type":"result"');
    await sleep(100);

    expect(started.child.exitCode).toBeNull();
    started.child.kill("SIGTERM");
    expect((await started.ended).progress.end?.ok).toBe(true);
  });

  test("a grandchild in a session of its own outlives it and holds its output", async () => {
    const started = stage.start("#rehearsal grandchild 2500\n#rehearsal no-report");

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

    const { code, progress } = await stage.run(
      aPrompt("画面を直す\n#rehearsal write new.txt x"),
      daemon.env,
    );

    expect(code).toBe(0);
    expect(progress).toMatchObject({ toolCallCount: 2, end: { ok: true } });
    expect(daemon.tokens).toEqual(new Set(["Bearer token-1"]));
    expect(daemon.callsOf("report_result")).toEqual([
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

  test("asked in English it speaks and reports in English", async () => {
    const daemon = await aDaemon();

    const { progress } = await stage.run(aPrompt("Fix the page"), daemon.env);

    expect(progress.lastMessage).toMatch(/^Rehearsal: model .* is not asked/);
    const [told] = daemon.callsOf("report_result");
    expect(told).toMatchObject({
      summary: "Rehearsal: no model was asked. The first line of the request is “Fix the page”.",
      response: expect.stringMatching(/^Rehearsal report\./),
    });
    expect(JSON.stringify([told, progress.lastMessage])).not.toMatch(
      /[\u3040-\u30ff\u4e00-\u9fff]/,
    );
  });

  test("a report can be ordered where it is wanted, and left out", async () => {
    const daemon = await aDaemon();

    await stage.run(
      aPrompt("#rehearsal report failure 無理でした\n#rehearsal say その後"),
      daemon.env,
    );
    await stage.run(aPrompt("#rehearsal no-report"), daemon.env);

    expect(daemon.callsOf("report_result")).toMatchObject([
      {
        status: "failure",
        summary: "リハーサル: 無理でした",
        errorMessage: "リハーサル: 無理でした",
      },
    ]);
  });

  test("a tool is really called, with our ids filled in, and its answer is in the stream", async () => {
    const daemon = await aDaemon();

    const { progress, stdout } = await stage.run(
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

    const { code, progress } = await stage.run(aPrompt("画面を直す"), daemon.env);

    expect(code).toBe(1);
    expect(progress.end).toMatchObject({ ok: false, error: expect.stringContaining("NOT_YOURS") });
  });

  test("an agent id that is not the prompt's is not reported for", async () => {
    const daemon = await aDaemon();

    const { code, progress } = await stage.run(aPrompt("画面を直す"), {
      ...daemon.env,
      KUROMAJUTSU_AGENT_ID: "impl-code-1794733200-ffff",
    });

    expect(code).toBe(1);
    expect(progress.end?.error).toContain("食い違います");
    expect(daemon.callsOf("report_result")).toEqual([]);
  });

  test("a daemon that never comes makes a failed run, in the time allowed", async () => {
    const daemon = await aDaemon();
    await daemon.stop();

    const { code, progress } = await stage.run(aPrompt("#rehearsal retry-for 400"), daemon.env);

    expect(code).toBe(1);
    expect(progress.end?.error).toContain("報告できませんでした");
  });

  test("a wrong token is not tried again", async () => {
    const daemon = await aDaemon();

    const { code, progress } = await stage.run(aPrompt("画面を直す"), {
      ...daemon.env,
      KUROMAJUTSU_AGENT_TOKEN: "wrong",
    });

    expect(code).toBe(1);
    expect(progress.end?.ok).toBe(false);
    expect(daemon.callsOf("report_result")).toEqual([]);
  });

  test("a daemon that comes up late is waited for", async () => {
    const daemon = await aDaemon();
    await daemon.stop();
    const started = stage.start(aPrompt("#rehearsal say 始めた"), daemon.env);
    await started.said('"report_result"');
    await sleep(300);

    await daemon.listen();

    expect((await started.ended).code).toBe(0);
    expect(daemon.callsOf("report_result")).toHaveLength(1);
  });

  test.each(["dies", "stops"] as const)(
    "a daemon that %s during the report hears it again when it is back",
    async (ending) => {
      const daemon = await aDaemon({}, { ending, restartsDuring: "report_result" });

      const { code, progress } = await stage.run(aPrompt("画面を直す"), daemon.env);

      expect(code).toBe(0);
      expect(progress.end?.ok).toBe(true);
      expect(daemon.callsOf("report_result")).toHaveLength(2);
      expect(daemon.callsOf("report_result")[1]).toEqual(daemon.callsOf("report_result")[0]);
    },
  );

  test("a call that says it must not run twice is not repeated after a restart", async () => {
    const daemon = await aDaemon({}, { restartsDuring: "launch" });

    const { code, stdout } = await stage.run(aPrompt("#rehearsal tool launch {}"), daemon.env);

    expect(daemon.callsOf("launch")).toHaveLength(1);
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

type Behaviour = { readonly refuses?: boolean };

/** As much of a daemon as an agent without a part to play sees. */
function aDaemon({ refuses = false }: Behaviour = {}, options: ToolDaemonOptions = {}) {
  return stage.use(
    aToolDaemon(
      {
        report_result: {
          // The head of its answer is on its way before the daemon goes, and only the end is missing.
          beats: true,
          answer: () =>
            refuses
              ? { isError: true, content: [{ type: "text", text: "NOT_YOURS" }] }
              : { registered: true },
        },
        launch: { isOnce: true, answer: () => "launched" },
        echo: { answer: ({ text }) => `heard ${String(text)}` },
      },
      { agentId: AGENT_ID, ...options },
    ),
  );
}
