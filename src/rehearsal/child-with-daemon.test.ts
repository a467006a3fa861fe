import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { anAgentPrompt } from "../../test/kit/rehearsal/agent-prompt.ts";
import { aStage, type Stage } from "../../test/kit/rehearsal/stage.ts";
import { aToolDaemon, type ToolDaemonOptions } from "../../test/kit/rehearsal/tool-daemon.ts";

const AGENT_ID = "impl-code-1794733200-a3f2";
const aPrompt = (userPrompt: string): string => anAgentPrompt(AGENT_ID, userPrompt);

let stage: Stage;

beforeEach(async () => {
  stage = await aStage(AGENT_ID);
});

afterEach(() => stage.clear());

describe("a rehearsal process with a daemon", () => {
  test("it reports for itself, with its token, and states that no model was asked", async () => {
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
        createdFiles: [join(stage.cwd, "new.txt")],
        editedFiles: [],
      },
    ]);
  });

  test("it reports in English if the request is in English", async () => {
    const daemon = await aDaemon();

    const { progress } = await stage.run(aPrompt("Fix the page"), daemon.env);

    expect(progress.lastMessage).toMatch(/^Rehearsal: model .* is not asked/);
    const [reported] = daemon.callsOf("report_result");
    expect(reported).toMatchObject({
      summary: "Rehearsal: no model was asked. The first line of the request is “Fix the page”.",
      response: expect.stringMatching(/^Rehearsal report\./),
    });
    expect(JSON.stringify([reported, progress.lastMessage])).not.toMatch(
      /[\u3040-\u30ff\u4e00-\u9fff]/,
    );
  });

  test("a directive moves the report, or suppresses it", async () => {
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

  test("a tool is really called, with the agent's ids filled in, and its answer is in the stream", async () => {
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

  test("a refused tool is reported with the refusal, not as carried out", async () => {
    const daemon = await aDaemon();

    await stage.run(
      aPrompt('Fix the page\n#rehearsal tool echo {"text":"x"}\n#rehearsal tool no_such_tool {}'),
      daemon.env,
    );

    const [report] = daemon.callsOf("report_result");
    expect(report?.summary).toMatch(/Directives that failed: no_such_tool failed: .+/);
    expect(report?.response).toMatch(
      /Directives carried out: tool\n- Directive that failed: no_such/,
    );
  });

  test("a refused report makes the run fail", async () => {
    const daemon = await aDaemon({ refuses: true });

    const { code, progress } = await stage.run(aPrompt("画面を直す"), daemon.env);

    expect(code).toBe(1);
    expect(progress.end).toMatchObject({ ok: false, error: expect.stringContaining("NOT_YOURS") });
  });

  test("it does not report for an agent id that differs from the prompt's", async () => {
    const daemon = await aDaemon();

    const { code, progress } = await stage.run(aPrompt("画面を直す"), {
      ...daemon.env,
      KUROMAJUTSU_AGENT_ID: "impl-code-1794733200-ffff",
    });

    expect(code).toBe(1);
    expect(progress.end?.error).toContain("食い違います");
    expect(daemon.callsOf("report_result")).toEqual([]);
  });

  test("a daemon that never answers makes the run fail within the time limit", async () => {
    const daemon = await aDaemon();
    await daemon.stop();

    const { code, progress } = await stage.run(aPrompt("#rehearsal retry-for 400"), daemon.env);

    expect(code).toBe(1);
    expect(progress.end?.error).toContain("報告できませんでした");
  });

  test("a wrong token is not retried", async () => {
    const daemon = await aDaemon();

    const { code, progress } = await stage.run(aPrompt("画面を直す"), {
      ...daemon.env,
      KUROMAJUTSU_AGENT_TOKEN: "wrong",
    });

    expect(code).toBe(1);
    expect(progress.end?.ok).toBe(false);
    expect(daemon.callsOf("report_result")).toEqual([]);
  });

  test("it waits for a daemon that starts late", async () => {
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
    "a report is repeated if the daemon %s during the call",
    async (ending) => {
      const daemon = await aDaemon({}, { ending, restartsDuring: "report_result" });

      const { code, progress } = await stage.run(aPrompt("画面を直す"), daemon.env);

      expect(code).toBe(0);
      expect(progress.end?.ok).toBe(true);
      expect(daemon.callsOf("report_result")).toHaveLength(2);
      expect(daemon.callsOf("report_result")[1]).toEqual(daemon.callsOf("report_result")[0]);
    },
  );

  test("a call of a tool that must not run twice is not repeated after a restart", async () => {
    const daemon = await aDaemon({}, { restartsDuring: "launch" });

    const { code, stdout } = await stage.run(aPrompt("#rehearsal tool launch {}"), daemon.env);

    expect(daemon.callsOf("launch")).toHaveLength(1);
    expect(stdout).toContain("outcome is unknown");
    expect(code).toBe(0);
  });
});

type Behaviour = { readonly refuses?: boolean };

/** The tools that an ordinary agent calls. */
function aDaemon({ refuses = false }: Behaviour = {}, options: ToolDaemonOptions = {}) {
  return stage.use(
    aToolDaemon(
      {
        report_result: {
          // The start of the answer is sent before the daemon goes; only its end is missing.
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
