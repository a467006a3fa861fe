import { expect, test } from "vitest";
import { readPrompt } from "../read-prompt.ts";
import { readPlan } from "./plan.ts";

const planOf = (prompt: string) => readPlan(readPrompt(prompt));

const BLOCK = "【Magentic タスク】\ntask: 画面を直す\nscope: web/";

test.each([
  "availableRoles: impl-code, code-review\nmaxIterations: 4",
  "- availableRoles：impl-code、code-review\n- maxIterations： 4 回",
  '**availableRoles**: ["impl-code","code-review"]\n**maxIterations**: 4',
  "availableRoles: impl-code, orchestrator, code-review, impl-code\nmaxIterations: 4",
])("readPlan accepts roles in any notation: %j", (fields) => {
  expect(planOf(`${BLOCK}\n${fields}`)).toEqual({
    task: "画面を直す",
    roles: ["impl-code", "code-review"],
    iterations: 2,
    isSame: false,
    keepsLedger: true,
    childLines: [],
  });
});

test("fields that a task quotes are ignored", () => {
  const prompt = `【Magentic タスク】\ntask: 次を直す\navailableRoles: evil\nmaxIterations: 1\navailableRoles: good\nmaxIterations: 9`;

  expect(planOf(prompt)).toMatchObject({ roles: ["good"], iterations: 2 });
});

test.each([
  ["maxIterations: 1", 1],
  ["maxIterations: 0", 1],
  ["maxIterations: many", 2],
  ["maxIterations: 1\n#rehearsal iterations 5", 5],
  ["", 2],
])("%j gives %i iterations", (line, iterations) => {
  expect(planOf(`${BLOCK}\n${line}`)).toMatchObject({ iterations, roles: [] });
});

test("child directives become directives of the sub-agents", () => {
  const prompt =
    "やって\n#rehearsal child sleep 5\n#rehearsal same\n#rehearsal child child say x\n#rehearsal no-ledger";

  expect(planOf(prompt)).toMatchObject({
    isSame: true,
    keepsLedger: false,
    childLines: ["#rehearsal sleep 5", "#rehearsal child say x"],
  });
});
