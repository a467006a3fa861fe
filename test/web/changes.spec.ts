import { fileURLToPath } from "node:url";
import { expect, open, type Page, test } from "./kit.ts";
import {
  aChange,
  aComment,
  aFile,
  aLongPatch,
  aMerge,
  answerChanges,
  aWorkspace,
  type Answers,
  type Change,
} from "./kit/changes.ts";
import { expectGood } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { restOf } from "./kit/rest.ts";

const SCREENS = fileURLToPath(new URL("../../test-results/screens/", import.meta.url));

let daemon: Daemon;
let groupId: string;
let agentId: string;
let otherId: string;

test.beforeAll(async () => {
  daemon = await aDaemon();
  const rest = restOf(daemon.url);
  groupId = await rest.group("挨拶を直す");
  [agentId = "", otherId = ""] = await rest.run(groupId, [
    "挨拶を直して\n#rehearsal report success 直しました",
    "別のところを直して\n#rehearsal report success 直しました",
  ]);
  await rest.reachAgent(agentId, "resultReported");
  await rest.reachAgent(otherId, "resultReported");
});
test.afterAll(() => daemon.end());

const GREET = `diff --git a/src/greet.ts b/src/greet.ts
index 1111111..2222222 100644
--- a/src/greet.ts
+++ b/src/greet.ts
@@ -1,5 +1,6 @@
 export function greet(name: string): string {
-  return "Hello " + name;
+  const greeting = "こんにちは";
+  return \`\${greeting}、\${name}\`;
 }
 
 export const VERSION = 1;
`;

/** A change with everything that a diff cannot show. */
function aReview(changes: Partial<Change> = {}): Change {
  const workspace = aWorkspace({ agentId, groupId, version: 2, files: 7, added: 3, removed: 1 });
  return aChange(workspace, {
    files: [
      aFile("src/greet.ts"),
      aFile("src/renamed.ts", { status: "renamed", from: "src/old.ts", added: 0, removed: 0 }),
      aFile("assets/logo.png", { isBinary: true, added: null, removed: null, status: "added" }),
      aFile("scripts/run.sh", { modeChanged: true, added: 0, removed: 0 }),
      aFile("docs/notes.md", { lineEndingsOnly: true, added: 9, removed: 9 }),
      aFile("link", { kind: "symlink", leavesTree: true, status: "added", added: 1, removed: 0 }),
      aFile("vendor/lib", { kind: "submodule", added: 1, removed: 1 }),
      aFile("data/huge.json", { added: 90_000, removed: 0, status: "added" }),
    ],
    comments: [
      aComment({
        commentId: "cmt-1",
        version: 2,
        body: "敬語にしてください",
        quote: "const greeting",
      }),
      aComment({
        commentId: "cmt-2",
        line: 40,
        endLine: 41,
        currentLine: null,
        quote: "const gone = true;",
        body: "これは何ですか",
        status: "sent",
        sentAt: "2026-11-15T12:10:00.000Z",
        sentTo: agentId,
      }),
    ],
    ...changes,
  });
}

const PATCHES: NonNullable<Answers["patch"]> = (path) => {
  if (path === "src/greet.ts") return { patch: GREET };
  if (path === "data/huge.json") return { patch: null, reason: "too_long" };
  return { patch: `diff --git a/${path} b/${path}\n` };
};

async function openReview(page: Page, answers: Answers = {}): Promise<void> {
  await answerChanges(page, {
    change: () => aReview(),
    patch: PATCHES,
    workspaces: [aReview().workspace],
    ...answers,
  });
  await page.route(`**/api/agents/${agentId}`, async (route) => {
    const answer = await route.fetch({ maxRetries: 3 });
    const json = { ...(await answer.json()), workspaceId: "ws-1" };
    await route.fulfill({ response: answer, json });
  });
  await open(page, daemon.url, `/agents/${agentId}?tab=changes`);
  await expect(page.getByRole("region", { name: /^(?:差分|Diff)$/ })).toBeVisible();
}

const diffOf = (page: Page) => page.getByRole("region", { name: /^(?:差分|Diff)$/ });

test("a review shows the diff with its comments, and says in words what a diff cannot show", async ({
  page,
  say,
}) => {
  await openReview(page);
  const diff = diffOf(page);
  await expect(diff.getByText("こんにちは")).toBeVisible();
  await expect(diff.getByText("敬語にしてください")).toBeVisible();
  await expect(diff.getByText(say("元の名前: src/old.ts", "Was src/old.ts"))).toBeVisible();
  await expect(diff.getByText(/バイナリファイル|Binary file/)).toBeVisible();
  await expect(diff.getByText(/長すぎる|too long/)).toBeVisible();
  await expect(diff.getByText(/作業ツリーの外|outside the worktree/)).toBeVisible();
  const comments = page.getByRole("region", { name: say("コメント", "Comments") });
  await expect(comments.getByText("const gone = true;")).toBeVisible();
  await page.screenshot({ path: `${SCREENS}review.png` });
  await expectGood(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.screenshot({ path: `${SCREENS}review-light.png` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: `${SCREENS}review-phone.png`, fullPage: true });
});

test("the keyboard steps to a line, comments it and keeps the comment as a draft", async ({
  page,
  say,
}) => {
  const sent: unknown[] = [];
  let comments = aReview().comments;
  await openReview(page, {
    change: () => aReview({ comments }),
    post: (method, path, body) => {
      sent.push([method, path, body]);
      const comment = aComment({
        commentId: "cmt-9",
        version: 2,
        line: 3,
        endLine: 3,
        currentLine: 3,
        body: "短く",
      });
      comments = [...comments, comment];
      return comment;
    },
  });
  await expect(diffOf(page).getByText("こんにちは")).toBeVisible();
  await diffOf(page).focus();
  for (const key of ["j", "j", "j", "j"]) await page.keyboard.press(key);
  await expect(page.getByRole("status").filter({ hasText: "src/greet.ts" })).toContainText(
    say("3 行目、追加", "line 3, added"),
  );
  await page.keyboard.press("c");
  const field = page.getByRole("textbox", { name: /src\/greet\.ts/ });
  await expect(field).toBeFocused();
  await field.fill("短く");
  await page.keyboard.press("Control+Enter");
  await expect(diffOf(page).getByText("短く")).toBeVisible();
  await expect(field).toHaveCount(0);
  expect(sent).toEqual([
    [
      "POST",
      "/api/changes/ws-1/comments",
      { version: 2, path: "src/greet.ts", side: "new", line: 3, endLine: 3, body: "短く" },
    ],
  ]);
  await page.keyboard.press("Escape");
  await diffOf(page).focus();
  await page.keyboard.press("n");
  await expect(page.getByRole("status").filter({ hasText: "src/renamed.ts" })).toHaveCount(1);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a reviewer sends a change back with its draft comments, and asks for a merge", async ({
  page,
  say,
}) => {
  const sent: unknown[] = [];
  await openReview(page, {
    change: () =>
      aReview({
        preview: {
          target: "main",
          isClean: false,
          conflicts: [{ path: "src/greet.ts", type: "content" }],
        },
      }),
    post: (_method, path, body) => {
      sent.push([path, body]);
      return { agentId: otherId, continuesConversation: false, comments: 1 };
    },
  });
  await page.getByRole("button", { name: say("差し戻す (1)…", "Send back (1)…") }).click();
  const dialog = page.getByRole("dialog");
  await expectGood(page);
  await dialog.getByRole("textbox").fill("お願いします");
  await dialog.getByRole("button", { name: say("差し戻す", "Send back"), exact: true }).click();
  await expect(dialog.getByText(otherId)).toBeVisible();
  await dialog
    .getByRole("button", { name: say("閉じる", "Close") })
    .last()
    .click();
  await page.getByRole("button", { name: say("取り込む…", "Merge…") }).click();
  await expect(dialog.getByText("src/greet.ts")).toBeVisible();
  await page.screenshot({ path: `${SCREENS}merge-dialog.png` });
  await expectGood(page);
  await dialog.getByRole("button", { name: say("承認を求める", "Ask for the approval") }).click();
  await expect(dialog).toHaveCount(0);
  expect(sent).toEqual([
    ["/api/changes/ws-1/send-back", { version: 2, message: "お願いします" }],
    ["/api/changes/ws-1/merge", { version: 2, target: "main", intoCheckout: false }],
  ]);
});

test("merges show why they did not land, with what a person can do", async ({ page, say }) => {
  const merge = aMerge({
    status: "check_failed",
    checkExit: 1,
    result: null,
    problem: { type: "check_failed", exitCode: 1 },
  });
  await openReview(page, { change: () => aReview({ merges: [merge] }) });
  const list = page.getByRole("region", { name: say("取り込みの記録", "Merges") });
  await expect(list.getByText(/workspace\.check/)).toBeVisible();
  await expect(
    list.getByRole("button", { name: say("もう一度取り込む", "Merge again") }),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: say("取り込む…", "Merge…") })).toHaveCount(0);
});

test("a file of 20,000 lines and 200 files are shown without putting them all into the page", async ({
  page,
}) => {
  const files = Array.from({ length: 200 }, (_, index) =>
    aFile(`src/part-${index}.ts`, { added: 33, removed: 33 }),
  );
  await openReview(page, {
    change: () =>
      aReview({
        files: [aFile("src/long.ts", { added: 6_666, removed: 6_666 }), ...files],
        comments: [],
      }),
    patch: (path) => ({ patch: aLongPatch(path, path === "src/long.ts" ? 20_000 : 100) }),
  });
  await expect(diffOf(page).getByText("value3 ").first()).toBeVisible();
  const lines = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("diffs-container")].reduce(
        (sum, each) => sum + (each.shadowRoot?.querySelectorAll("[data-line]").length ?? 0),
        0,
      ),
    );
  expect(await lines()).toBeLessThan(1_000);
  await expectGood(page);
  // A comment with the keyboard, as in a short diff.
  await diffOf(page).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  await expect(page.getByRole("textbox", { name: /src\/long\.ts/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await page
    .getByRole("navigation", { name: /^(?:ファイル|Files)$/ })
    .getByText("part-199.ts")
    .click();
  await expect(diffOf(page).getByRole("heading", { name: "src/part-199.ts" })).toBeVisible();
  await expect(diffOf(page).getByText("value3 ").first()).toBeVisible();
  expect(await lines()).toBeLessThan(1_500);
});

test("the page of the workspaces shows the disk use and cleans up after a confirmation", async ({
  page,
  say,
}) => {
  const sent: string[] = [];
  await answerChanges(page, {
    maxBytes: 14_000_000,
    workspaces: [
      aWorkspace({ agentId, groupId }),
      aWorkspace({
        workspaceId: "ws-2",
        agentId: otherId,
        groupId,
        status: "ready",
        version: 0,
        diskBytes: 1_000_000,
        ports: { from: 20_000, count: 10 },
        attention: [{ type: "wrote_outside", path: "/etc/hosts" }],
      }),
    ],
    post: (_method, path) => {
      sent.push(path);
      return aWorkspace({ status: "retired" });
    },
  });
  await open(page, daemon.url, "/workspaces");
  await expect(page.getByText(/13\.4 MB/).first()).toBeVisible();
  await expect(page.getByText("/etc/hosts")).toBeVisible();
  await page.screenshot({ path: `${SCREENS}workspaces.png` });
  await expectGood(page);
  const clean = page.getByRole("button", { name: say("片付ける…", "Clean up…") });
  await expect(clean).toHaveCount(1);
  await clean.click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("片付ける", "Clean up"), exact: true })
    .click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(sent).toEqual(["/api/workspaces/ws-1/retire"]);
});

test("a group shows the changes of its agents, their overlaps and all of them merged", async ({
  page,
  say,
}) => {
  const overlap = {
    workspaceId: "ws-1",
    agentId,
    otherWorkspaceId: "ws-2",
    otherAgentId: otherId,
    level: "conflict" as const,
    paths: ["src/greet.ts"],
    at: "2026-11-15T12:00:00.000Z",
  };
  const workspaces = [
    aWorkspace({ agentId, groupId }),
    aWorkspace({ workspaceId: "ws-2", agentId: otherId, groupId }),
  ];
  await answerChanges(page, {
    workspaces,
    overlaps: [overlap],
    patch: PATCHES,
    groupChange: () => ({
      groupId,
      changes: workspaces,
      overlaps: [overlap],
      combined: {
        commit: "4".repeat(40),
        base: "1".repeat(40),
        files: [aFile("src/greet.ts")],
        conflicts: [],
      },
    }),
  });
  await open(page, daemon.url, `/groups/${groupId}`);
  const changes = page.getByRole("region", { name: say("変更", "Changes"), exact: true });
  await expect(
    changes.getByText(say("競合します。", "They conflict"), { exact: false }),
  ).toBeVisible();
  await changes
    .getByRole("button", { name: say("合わせた差分を表示", "Show the combined diff") })
    .click();
  await expect(diffOf(page).getByText("こんにちは")).toBeVisible();
  await page.screenshot({ path: `${SCREENS}group-changes.png`, fullPage: true });
  await expectGood(page);
  await open(page, daemon.url, "/");
  await expect(page.getByText(say("変更の確認 2", "Changes to review 2"))).toBeVisible();
  await expect(page.getByText(otherId).first()).toBeVisible();
  await expectGood(page);
  await page.screenshot({ path: `${SCREENS}home-changes.png` });
});

test("a viewer reads a review without buttons that they cannot use", async ({ page, say }) => {
  await page.route("**/api/me", async (route) => {
    const answer = await route.fetch({ maxRetries: 3 });
    await route.fulfill({ response: answer, json: { ...(await answer.json()), role: "viewer" } });
  });
  const merges = [aMerge({ status: "landed" })];
  await openReview(page, { change: () => aReview({ merges }) });
  await expect(diffOf(page).getByText("敬語にしてください")).toBeVisible();
  const deeds =
    /破棄|Discard|差し戻す|Send back|取り込む|^Merge|元に戻す|Undo|編集|^Edit|^削除|^Delete|解決|Resolve/;
  await expect(page.getByRole("button", { name: deeds })).toHaveCount(0);
  await diffOf(page).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  await expect(page.getByRole("textbox", { name: say("コメント", "Comment") })).toHaveCount(0);
});
