import { once } from "node:events";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { anAgentPrompt } from "../../test/kit/rehearsal/agent-prompt.ts";
import { aStage, type Stage } from "../../test/kit/rehearsal/stage.ts";

const AGENT_ID = "impl-code-1794733200-a3f2";

let stage: Stage;
let cwd: string;

beforeEach(async () => {
  stage = await aStage(AGENT_ID);
  cwd = stage.cwd;
});

afterEach(() => stage.clear());

describe("a rehearsal process without a daemon", () => {
  test("an ordinary run states that it is a rehearsal, and succeeds", async () => {
    const { progress, code, stdout } = await stage.run("画面を直す");

    expect(code).toBe(0);
    expect(progress.end).toMatchObject({ ok: true, error: null });
    expect(progress.end?.text).toContain("リハーサル");
    expect(progress).toMatchObject({ usage: null, toolCallCount: 0, reportedModel: "rehearsal" });
    expect(stdout).toContain("画面を直す");
  });

  test("files are written to disk and appear as tool calls", async () => {
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

  test("a prompt of five layers and two megabytes is read", async () => {
    const prompt = anAgentPrompt(
      AGENT_ID,
      `#rehearsal echo-prompt seen.txt\n${"あ".repeat(700_000)}`,
    );

    const { code } = await stage.run(prompt);

    expect(code).toBe(0);
    expect(await readFile(join(cwd, "seen.txt"), "utf8")).toBe(prompt);
  });

  test("texts, counters and requested events are in the stream", async () => {
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
  ])("%s ends the process as requested", async (prompt, { code, signal, error }) => {
    const ended = await stage.run(prompt);

    expect({ code: ended.code, signal: ended.signal }).toEqual({ code, signal });
    expect(ended.progress.end?.error).toEqual(error);
    expect(ended.progress.end?.ok).not.toBe(true);
  });

  test("SIGTERM in the middle ends the process quickly, without a result", async () => {
    const started = stage.start("#rehearsal say 始めた\n#rehearsal sleep 60000");
    await started.said("始めた");

    started.child.kill("SIGTERM");
    const { code, progress } = await started.ended;

    expect(code).toBe(143);
    expect(progress.end).toBeNull();
  });

  test("a process waits for a file", async () => {
    const started = stage.start("#rehearsal wait-for go.txt\n#rehearsal edit go.txt after");
    await started.said('"subtype":"init"');
    // By renaming: the process must not see the file before its text is there.
    await writeFile(join(cwd, "go.tmp"), "before\n");
    await rename(join(cwd, "go.tmp"), join(cwd, "go.txt"));

    expect((await started.ended).code).toBe(0);
    expect(await readFile(join(cwd, "go.txt"), "utf8")).toBe("before\nafter\n");
  });

  test("a process that ignores SIGTERM runs until SIGKILL", async () => {
    const started = stage.start("#rehearsal ignore-term\n#rehearsal say 始めた\n#rehearsal hang");
    await started.said("始めた");

    started.child.kill("SIGTERM");
    await sleep(300);
    expect(started.child.exitCode).toBeNull();
    started.child.kill("SIGKILL");

    expect((await started.ended).signal).toBe("SIGKILL");
  });

  test("a process that lingers keeps running after its result", async () => {
    const started = stage.start("#rehearsal linger 60000");
    await started.said('"type":"result"');
    await sleep(100);

    expect(started.child.exitCode).toBeNull();
    started.child.kill("SIGTERM");
    expect((await started.ended).progress.end?.ok).toBe(true);
  });

  test("a grandchild in a session of its own outlives the process and keeps its output open", async () => {
    const started = stage.start("#rehearsal grandchild 2500\n#rehearsal no-report");

    await once(started.child, "exit");
    const exitedAt = performance.now();
    const { progress, stdout } = await started.ended;

    expect(performance.now() - exitedAt).toBeGreaterThan(200);
    expect(progress).toMatchObject({ toolCallCount: 1, end: { ok: true } });
    expect(stdout).toMatch(/"pid":\d+/);
  });
});
