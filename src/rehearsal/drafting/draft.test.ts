import { describe, expect, test } from "vitest";
import { aRun } from "../../../test/kit/rehearsal/a-run.ts";
import {
  AGENT_TOOL,
  aDesigning,
  anAnalysis,
  aPlanning,
  aTaskPrompt,
  READ_TOOL,
  WRITE_TOOL,
} from "../../../test/kit/rehearsal/task-prompts.ts";
import {
  analysisAnswer,
  designAnswer,
  planAnswer,
} from "../../app/tasks/drafting/drafting-answers.ts";
import { draft, type Draft } from "./draft.ts";

const NOW = new Date(2026, 10, 15);

function drafted(input: Draft) {
  const { run } = aRun(aTaskPrompt(input));
  const read = run.read.task?.input;
  if (!read || read.stage === "execution") throw new Error("The input was not read.");
  return { report: draft(run, read, NOW), run };
}

function answerTo(input: Draft): unknown {
  return JSON.parse(drafted(input).report.response ?? "");
}

describe("the rehearsed analyst", () => {
  test("quotes the request and states that it is a rehearsal", () => {
    const answer = answerTo(
      anAnalysis({ request: `${"長い依頼です。".repeat(20)}\n#rehearsal in planner sleep 1` }),
    );

    expect(analysisAnswer.parse(answer)).toEqual({
      title: expect.stringMatching(/^長い依頼です。.{1,36}…$/),
      description: expect.stringMatching(/^リハーサル.*「長い依頼です。[^#]*$/),
      priority: "medium",
      type: "リハーサル",
    });
  });

  test.each([
    [["調査", "集計"], "集計"],
    [["調査", "実装"], "調査"],
  ])("chooses a type from %j", (types, type) => {
    expect(answerTo(anAnalysis({ request: "9月分を集計して", types }))).toMatchObject({ type });
  });

  test("keeps the given priority", () => {
    expect(answerTo(anAnalysis({ priority: "high" }))).toMatchObject({ priority: "high" });
  });

  test("answers a request that consists of directives", () => {
    const answer = answerTo(anAnalysis({ request: "#rehearsal in planner sleep 1" }));

    expect(analysisAnswer.safeParse(answer).success).toBe(true);
  });
});

describe("the rehearsed planner", () => {
  test.each([
    ["ja", "9月分をまとめて", "リハーサル"],
    ["en", "Sum up September", "Rehearsal"],
  ] as const)("lists the tools and every reason in %s", (language, request, name) => {
    const rejections = [
      { version: 1, reason: "もっと\n短く" },
      { version: 2, reason: "宛先が違う" },
    ];

    const { content } = planAnswer.parse(answerTo(aPlanning({ request, rejections })));

    expect(content).toContain(name);
    expect(content).toContain(request);
    expect(content).toMatch(/1\. depot\/list\n2\. depot\/store \(.+\)/);
    expect(content).toMatch(/v1.*もっと 短く.*\n.*v2.*宛先が違う/);
    expect(content.includes("モデルには尋ねず")).toBe(language === "ja");
  });

  test("says so if there are no usable tools", () => {
    const { report } = drafted(aPlanning({ catalogue: [] }));

    expect(report).toEqual({ status: "failure", summary: expect.stringContaining("ありません") });
  });
});

describe("the rehearsed designer", () => {
  test("makes steps from the data flow; tools that write need a human check", () => {
    expect(designAnswer.parse(answerTo(aDesigning()))).toEqual({
      steps: [
        { title: "荷物の一覧 (リハーサル)", tool: "depot/list", requiresHumanCheck: false },
        { title: "depot/store (リハーサル)", tool: "depot/store", requiresHumanCheck: true },
      ],
    });
  });

  test.each([
    [null, true],
    [{}, true],
    [{ readOnlyHint: false, destructiveHint: true }, true],
    [{ destructiveHint: false }, false],
    [{ readOnlyHint: true, destructiveHint: true }, false],
    [{ readOnlyHint: "true", destructiveHint: "false" }, true],
  ])("for the hints %j sets requiresHumanCheck to %s", (annotations, requiresHumanCheck) => {
    const request = "x\n#rehearsal steps store";
    const catalogue = [{ ...WRITE_TOOL, annotations }];

    expect(answerTo(aDesigning({ request, catalogue }))).toMatchObject({
      steps: [{ requiresHumanCheck }],
    });
  });

  test.each([[[AGENT_TOOL]], [[{ ...WRITE_TOOL }, AGENT_TOOL]]])(
    "gives the work to an agent if no tool can be used",
    (catalogue) => {
      expect(answerTo(aDesigning({ catalogue }))).toMatchObject({
        steps: [{ tool: "agent:writer", requiresHumanCheck: false }],
      });
    },
  );

  test("mentions the rejections of earlier drafts", () => {
    const { run } = drafted(
      aDesigning({
        rejections: [{ version: 3, reason: "順番が逆" }],
        sentBack: { answer: "x", errors: ["steps: Required"] },
      }),
    );

    expect(run.diary.events).toEqual([
      "v3 は却下されました: 「順番が逆」",
      "前の答えは返されました: steps: Required",
    ]);
  });
});

describe("the rehearsed designer after a rejection", () => {
  const previous = [{ title: "x", tool: "depot/list", requiresHumanCheck: false }];
  const rejections = [{ version: 3, reason: "順番が\n逆" }];

  test.each([
    ["9月分をまとめて", /^荷物の一覧 \(リハーサル\) ※ v3 の却下の理由「順番が 逆」は/],
    [
      "Sum up September",
      /^荷物の一覧 \(rehearsal\) – a rehearsal cannot follow the reason “順番が 逆”/,
    ],
  ])("says in the steps for %s that it cannot follow the reason", (request, title) => {
    const { steps } = designAnswer.parse(answerTo(aDesigning({ request, previous, rejections })));

    expect(steps.map((step) => step.title)).toEqual([
      expect.stringMatching(title),
      expect.stringMatching(/^depot\/store \(\S+\)$/),
    ]);
  });

  test("does not mention the rejection of a prompt in the steps", () => {
    expect(JSON.stringify(answerTo(aDesigning({ rejections })))).not.toContain("却下");
  });
});

describe("drafts for a request in English", () => {
  const request = "Find three unclear points\n#rehearsal in planner say 日本語";
  const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;

  test("the analyst answers in English and states that it is a rehearsal", () => {
    const { report } = drafted(anAnalysis({ request }));

    expect(analysisAnswer.parse(JSON.parse(report.response ?? ""))).toMatchObject({
      title: "Find three unclear points",
      description: expect.stringMatching(/^Rehearsal: no model/),
      type: "Rehearsal",
    });
    expect(JSON.stringify(report)).not.toMatch(JAPANESE);
  });

  test("the planner and the designer keep the names of tools", () => {
    const catalogue = [{ ...AGENT_TOOL, title: "調査員" }];

    expect(JSON.stringify(drafted(aPlanning({ request, catalogue })).report)).not.toMatch(JAPANESE);
    expect(answerTo(aDesigning({ request, catalogue }))).toMatchObject({
      steps: [{ title: "調査員 (rehearsal)" }],
    });
  });

  test("a title in two languages and a built-in role appear in the language of the request", () => {
    const role = { ...AGENT_TOOL, tool: "agent:code-review", title: "コードレビュワー" };
    const list = { ...READ_TOOL, title: "荷物の一覧 / List packages" };
    const directive = "\n#rehearsal steps depot/list, agent:code-review";
    const titles = (text: string) =>
      designAnswer
        .parse(answerTo(aDesigning({ request: `${text}${directive}`, catalogue: [list, role] })))
        .steps.map(({ title }) => title);

    expect(titles("Read")).toEqual(["List packages (rehearsal)", "Code reviewer (rehearsal)"]);
    expect(titles("読んで")).toEqual(["荷物の一覧 (リハーサル)", "コードレビュワー (リハーサル)"]);
  });

  test("rejections and problems are mentioned in English", () => {
    const rejections = [{ version: 3, reason: "wrong order" }];

    const { report, run } = drafted(aDesigning({ request, rejections, catalogue: [] }));

    expect(run.diary.events).toEqual(["v3 was rejected: “wrong order”"]);
    expect(report).toEqual({ status: "failure", summary: expect.stringMatching(/^there is no/) });
  });
});

describe("directives for drafters", () => {
  test("steps selects the tools, check and uncheck set the human check", () => {
    const request =
      "x\n#rehearsal steps store, depot/list, agent:writer\n#rehearsal uncheck step-1\n#rehearsal check step-3";

    expect(
      answerTo(aDesigning({ request, catalogue: [READ_TOOL, WRITE_TOOL, AGENT_TOOL] })),
    ).toMatchObject({
      steps: [
        { tool: "depot/store", requiresHumanCheck: false },
        { tool: "depot/list", requiresHumanCheck: false },
        { tool: "agent:writer", requiresHumanCheck: true },
      ],
    });
  });

  test.each([
    ["steps nothing", "nothing というツールはありません"],
    ["steps list", "複数のサーバー"],
    ["check step-9", "step-9 はありません"],
  ])("%s that cannot be carried out is a failure", (line, summary) => {
    const catalogue = [READ_TOOL, { ...READ_TOOL, tool: "other/list" }, WRITE_TOOL];

    const { report } = drafted(aDesigning({ request: `9月\n#rehearsal ${line}`, catalogue }));

    expect(report).toEqual({ status: "failure", summary: expect.stringContaining(summary) });
  });

  test("answer is returned word for word, by the role it names", () => {
    const request = "9月\n#rehearsal in planner answer これは JSON ではない";

    expect(drafted(aPlanning({ request })).report.response).toBe("これは JSON ではない");
    expect(designAnswer.safeParse(answerTo(aDesigning({ request }))).success).toBe(true);
  });

  test("first applies until an answer was sent back", () => {
    const request = "9月\n#rehearsal first in planner answer だめ";
    const sentBack = { answer: "だめ", errors: ["JSON"] };

    expect(drafted(aPlanning({ request })).report.response).toBe("だめ");
    expect(planAnswer.safeParse(answerTo(aPlanning({ request, sentBack }))).success).toBe(true);
  });
});
