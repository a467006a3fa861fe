import { expect, test } from "vitest";
import { judgeRunner } from "../../../domain/health/runner-check.ts";
import { renderCheck } from "./render-check.ts";

const NAME = "CURSOR_API_KEY";

const SIGNED_OUT = judgeRunner({
  runner: "cursor",
  command: "/bin/agent",
  version: null,
  run: {
    ok: false,
    answered: false,
    connected: false,
    calledTool: false,
    usesOwnMcpEntry: true,
    failure: "signed-out",
    reason: null,
    responseMs: null,
  },
  missingVariables: [NAME],
  checkedAt: 0,
});

test("a row says which key of the terminal was used", () => {
  const shown = renderCheck({ ...SIGNED_OUT, clientKeys: [NAME] }, "en", [NAME]);
  expect(shown).toContain("Used CURSOR_API_KEY of this terminal.");
  expect(shown).not.toContain("not in the running daemon");
});

test("a row says how to pass a key to a daemon of an earlier version, which did not take it", () => {
  expect(renderCheck(SIGNED_OUT, "en", [NAME])).toContain("not in the running daemon");
  expect(renderCheck(SIGNED_OUT, "en", [])).not.toContain("not in the running daemon");
});
