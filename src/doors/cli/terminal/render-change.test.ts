import { expect, test } from "vitest";
import type { WireChange } from "../../../contract/shapes/changes.ts";
import type { WireOverlap, WireWorkspace } from "../../../contract/shapes/workspaces.ts";
import { createStyle, PLAIN_STYLE } from "../screen/style.ts";
import { changeTable } from "./change-commands.ts";
import { commentPlace } from "./comment-place.ts";
import { changeLines } from "./render-change.ts";
import { patchLines } from "./render-patch.ts";

const AT = "2026-11-17T09:00:00.000Z";
const HIDDEN = "a\u001b[2J\u202e.txt";
const SHOWN = "a\\u{1B}[2J\\u{202E}.txt";

const workspace: WireWorkspace = {
  workspaceId: "wsp-1",
  agentId: "impl-code-1-a",
  groupId: "grp-1",
  taskId: null,
  status: "captured",
  outcome: "open",
  repository: "/repo",
  path: "/data/workspaces/wsp-1",
  branch: "kuromajutsu/grp-1/impl-code-1-a",
  base: "b".repeat(40),
  basedOn: "HEAD",
  target: "main",
  version: 2,
  head: "c".repeat(40),
  files: 2,
  added: 3,
  removed: 1,
  attention: [{ type: "wrote_outside", path: `/tmp/${HIDDEN}` }],
  ports: null,
  diskBytes: 1_000,
  createdAt: AT,
  capturedAt: AT,
  closedAt: null,
  retiredAt: null,
};

const overlap: WireOverlap = {
  workspaceId: "wsp-1",
  agentId: "impl-code-1-a",
  otherWorkspaceId: "wsp-2",
  otherAgentId: "impl-code-1-b",
  level: "conflict",
  paths: [HIDDEN],
  at: AT,
};

const file = {
  path: HIDDEN,
  from: null,
  status: "modified",
  kind: "file",
  isBinary: false,
  added: 3,
  removed: 1,
  modeChanged: false,
  lineEndingsOnly: false,
  leavesTree: false,
} as const;

const comment = {
  commentId: "cmt-1",
  workspaceId: "wsp-1",
  version: 1,
  path: HIDDEN,
  side: "new",
  line: 3,
  endLine: 4,
  currentLine: 7,
  quote: "x\ny",
  body: `first\n${HIDDEN}`,
  author: "local",
  status: "draft",
  createdAt: AT,
  sentAt: null,
  sentTo: null,
} as const;

const change: WireChange = {
  workspace,
  version: 2,
  versions: [],
  files: [
    file,
    { ...file, path: "link", kind: "symlink", status: "added", leavesTree: true, removed: 0 },
  ],
  overlaps: [overlap],
  comments: [comment, { ...comment, commentId: "cmt-2", currentLine: null, path: "b.txt" }],
  merges: [
    {
      mergeId: "mrg-1",
      workspaceId: "wsp-1",
      agentId: "impl-code-1-a",
      groupId: "grp-1",
      taskId: null,
      version: 1,
      target: "main",
      mode: "squash",
      message: "",
      status: "check_failed",
      approvalId: null,
      requester: "local",
      intoCheckout: false,
      result: null,
      checkExit: 1,
      problem: { type: "check_failed", exitCode: 1 },
      conflicts: [],
      createdAt: AT,
      endedAt: AT,
    },
  ],
  preview: { target: "main", isClean: false, conflicts: [{ path: HIDDEN, type: "contents" }] },
  pullRequest: null,
};

test("a change shows what a person must know before a decision, with every hidden character", () => {
  const seen = changeLines(change, {
    locale: "en",
    style: PLAIN_STYLE,
    page: ["Dashboard", "http://127.0.0.1/agents/impl-code-1-a?tab=changes"],
  });

  expect(seen).toContain("Status      undecided (captured)\n");
  expect(seen).toContain("Began from  HEAD bbbbbbbbbbbb\n");
  expect(seen).toContain(`It conflicts with main.\n  ${SHOWN}\n`);
  expect(seen).toContain(`The agent wrote /tmp/${SHOWN}, which is outside its worktree.`);
  expect(seen).toContain(`2 files  +3 −1\n  M  ${SHOWN}  +3 −1\n`);
  expect(seen).toContain("A  link  +3 −0  symbolic link to a place outside the worktree\n");
  expect(seen).toContain(`impl-code-1-b  They conflict`);
  expect(seen).toContain(`${SHOWN}:7-8  draft  local`);
  expect(seen).toContain(`    first\n    ${SHOWN}\n`);
  expect(seen).toMatch(/b\.txt:3-4 {2}draft .* the newest version does not have these lines\n/);
  expect(seen).toMatch(/mrg-1 {2}check failed {2}→ main {2}v1/);
  expect(seen).not.toContain("\u001b");
});

test("the list counts conflicts and overlaps of a change from both sides", () => {
  const other = { ...workspace, workspaceId: "wsp-2", agentId: "impl-code-1-b" };
  const third = { ...workspace, workspaceId: "wsp-3", agentId: "impl-code-1-c" };
  const same: WireOverlap = { ...overlap, otherWorkspaceId: "wsp-3", level: "same_file" };
  const now = Date.parse(AT) + 3 * 3_600_000;

  const { rows } = changeTable([workspace, other, third], [overlap, same], {
    locale: "en",
    all: false,
    now,
  });

  expect(rows.map((row) => [row[0], row[5], row[6]])).toEqual([
    ["impl-code-1-a", "1 conflict, 1 overlap", "3 h"],
    ["impl-code-1-b", "1 conflict", "3 h"],
    ["impl-code-1-c", "1 overlap", "3 h"],
  ]);
});

const HEADER = "diff --git a/a b/a\n--- a/a\n+++ b/a\n";

test("a patch is coloured by its lines, and no line of a file is obeyed by the terminal", () => {
  const style = createStyle({ colors: true, links: false });

  const lines = patchLines(`${HEADER}@@ -1 +1 @@\n-\u001b[2J\n+--- a\tb\n same\n`, style);

  expect(lines.slice(3)).toEqual([
    style.cyan("@@ -1 +1 @@"),
    style.red("-\\u{1B}[2J"),
    style.green("+--- a\tb"),
    " same",
  ]);
  expect(lines[1]).toBe(style.bold("--- a/a"));
});

function contentOf(old: string, now: string): readonly string[] {
  return patchLines(`${HEADER}@@ -1 +1 @@\n-${old}\n+${now}\n`, PLAIN_STYLE).slice(4);
}

test("the carriage return of a line end is shown only where line ends differ", () => {
  expect(contentOf("a\r", "b\r")).toEqual(["-a", "+b"]);
  expect(contentOf("a", "a\r")).toEqual(["-a", "+a\\u{D}"]);
});

test("the place of a comment is a line, lines or a file; a file of that very name comes first", () => {
  const files = [
    { path: "a.ts", status: "modified" },
    { path: "gone.ts", status: "deleted" },
    { path: "odd:3", status: "added" },
  ] as const;

  expect(commentPlace("a.ts:3", files)).toEqual({
    path: "a.ts",
    side: "new",
    line: 3,
    endLine: null,
  });
  expect(commentPlace("a.ts:3-5", files)).toMatchObject({ line: 3, endLine: 5 });
  expect(commentPlace("gone.ts:3", files)).toMatchObject({ side: "old", line: 3 });
  expect(commentPlace("odd:3", files)).toMatchObject({ path: "odd:3", side: null, line: null });
  expect(commentPlace("odd:3:1", files)).toMatchObject({ path: "odd:3", line: 1 });
  expect(commentPlace("a.ts", files)).toMatchObject({ path: "a.ts", side: null });
});
