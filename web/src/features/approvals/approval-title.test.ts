import { expect, test } from "vitest";
import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import { APPROVAL_TITLE } from "./approval-title.ts";

const { ja, en } = APPROVAL_TITLE;

function asked(kind: WireApproval["kind"], shown: WireApproval["shown"] = {}) {
  return { kind, taskId: "task-01", title: "デーモンの題", shown };
}

test("the title of a draft approval has its version and its task, in the language of the page", () => {
  const shown = { version: 2, title: "残業の集計" };

  expect(ja(asked("prompt", shown))).toBe("実行方針 v2: 残業の集計");
  expect(en(asked("prompt", shown))).toBe("Prompt v2: 残業の集計");
  expect(ja(asked("process", shown))).toBe("実行ステップ v2: 残業の集計");
  expect(en(asked("process", shown))).toBe("Steps v2: 残業の集計");
});

test("the title of a draft approval has the id of a task without a title", () => {
  expect(en(asked("prompt", { version: 1, title: null }))).toBe("Prompt v1: task-01");
});

test("the titles of unplanned tools and lost answers have the name of the tool", () => {
  const shown = { tool: "sheets/write" };

  expect(ja(asked("unplanned_tool", shown))).toBe(
    "ステップにないツール sheets/write を使おうとしています",
  );
  expect(en(asked("unplanned_tool", shown))).toBe(
    "An agent wants to call sheets/write, which is not in the steps",
  );
  expect(ja(asked("call", shown))).toBe("エージェントがツール sheets/write を使おうとしています");
  expect(en(asked("call", shown))).toBe("An agent wants to call sheets/write");
  expect(ja(asked("outcome", shown))).toBe(
    "sheets/write の結果が失われました。実行されていましたか？",
  );
  expect(en(asked("outcome", shown))).toBe(
    "The response of sheets/write was lost. Did the call take effect?",
  );
});

test("titles written by agents are not changed", () => {
  for (const titleOf of [ja, en]) {
    expect(titleOf(asked("step", { tool: "write", version: 1 }))).toBe("デーモンの題");
    expect(titleOf(asked("question", { question: "どの月?" }))).toBe("デーモンの題");
  }
});

test("an approval without the needed fields has the title of the daemon", () => {
  const kinds = ["prompt", "process", "unplanned_tool", "call", "outcome"] as const;

  for (const kind of kinds) expect(en(asked(kind))).toBe("デーモンの題");
  expect(en({ ...asked("prompt", { version: 1 }), taskId: null })).toBe("デーモンの題");
  expect(en(asked("prompt", { version: "1", title: "題" }))).toBe("デーモンの題");
  expect(en(asked("outcome", { tool: 7 }))).toBe("デーモンの題");
});
