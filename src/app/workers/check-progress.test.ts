import { expect, test } from "vitest";
import { NO_PROGRESS } from "../../domain/agents/progress.ts";
import { checkProgress } from "./check-progress.ts";

test("a progress passes as it is, with first values for what an older worker does not send", () => {
  const sent = { ...NO_PROGRESS, offset: 12, lastMessage: "working", sessionId: "s-1" };
  const { warnings: _warnings, ...older } = sent;

  expect(checkProgress(sent)).toEqual(sent);
  expect(checkProgress(older)).toEqual(sent);
});

test("members that this version does not know are left out", () => {
  expect(checkProgress({ ...NO_PROGRESS, later: 1 })).toEqual(NO_PROGRESS);
});

test.each([{ offset: "12" }, { lastMessage: null }, { editedFiles: {} }, { retries: [] }])(
  "%j is refused",
  (wrong) => {
    expect(() => checkProgress({ ...NO_PROGRESS, ...wrong })).toThrow("The progress has a wrong");
  },
);
