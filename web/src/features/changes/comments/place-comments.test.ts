import { expect, test } from "vitest";
import type { WireComment } from "../../../../../src/contract/shapes/changes.ts";
import { linesOf } from "../diff/patch-lines.ts";
import { isOutdated, placeOf, threadsOf } from "./place-comments.ts";

function aComment(changes: Partial<WireComment>): WireComment {
  return {
    commentId: "cmt-1",
    workspaceId: "ws-1",
    version: 1,
    path: "a.ts",
    side: "new",
    line: 2,
    endLine: 2,
    currentLine: 2,
    quote: "zwei",
    body: "Why?",
    author: "local",
    status: "draft",
    createdAt: "2026-11-15T12:00:00.000Z",
    sentAt: null,
    sentTo: null,
    ...changes,
  };
}

const LINES = linesOf("@@ -1,2 +1,3 @@\n one\n-two\n+zwei\n+drei\n");

test("a comment on several lines is placed under the last one of the version shown", () => {
  const comment = aComment({ line: 10, endLine: 11, currentLine: 2 });
  expect(placeOf(comment)).toEqual({ side: "new", line: 3 });
  expect(threadsOf([comment], LINES)).toEqual([{ side: "new", line: 3, comments: [comment] }]);
});

test("comments on the same line of different sides are two threads", () => {
  const threads = threadsOf(
    [aComment({}), aComment({ commentId: "cmt-2", side: "old" }), aComment({ commentId: "cmt-3" })],
    LINES,
  );
  expect(threads.map(({ side, comments }) => [side, comments.length])).toEqual([
    ["new", 2],
    ["old", 1],
  ]);
});

test("a comment whose lines are gone is outdated and in no thread", () => {
  const comment = aComment({ currentLine: null });
  expect(isOutdated(comment)).toBe(true);
  expect(threadsOf([comment], LINES)).toEqual([]);
});

test("a comment about the whole file is not outdated", () => {
  expect(isOutdated(aComment({ side: null, line: null, endLine: null, currentLine: null }))).toBe(
    false,
  );
});
