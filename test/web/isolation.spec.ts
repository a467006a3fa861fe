import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { pullRequestToolsIn } from "../kit/pull-requests/tools-in.ts";
import { expect, open, type Page, speak, test } from "./kit.ts";
import { expectGood } from "./kit/checks.ts";
import { aDaemon, type Daemon, until } from "./kit/daemon.ts";
import { aRepository, type WebRepository } from "./kit/repository.ts";
import { restOf, type Rest } from "./kit/rest.ts";

const SCREENS = fileURLToPath(new URL("../../test-results/screens/isolation/", import.meta.url));

/** One story: each test continues where the one before it ended. */
test.describe.configure({ mode: "serial" });

let repository: WebRepository;
let daemon: Daemon;
let rest: Rest;
let tools: ReturnType<typeof pullRequestToolsIn>;
let gates: Readonly<Record<"first" | "second" | "third", string>>;
let groupId: string;
/** Two that conflict in src/cart.ts, and one that changes another file. */
let left: string;
let right: string;
let other: string;

const CART = Array.from({ length: 40 }, (_, index) => `export const item${index} = ${index};\n`);
const started = z.object({ agents: z.array(z.object({ agentId: z.string() })) });

test.beforeAll(async () => {
  repository = aRepository({ "src/cart.ts": CART.join(""), "README.md": "# shop\n\n店のカート\n" });
  repository.addRemote();
  const gateOf = (name: string) => join(repository.dir, name);
  gates = { first: gateOf("go-1"), second: gateOf("go-2"), third: gateOf("go-3") };
  tools = pullRequestToolsIn(repository.dir, ["gh"]);
  daemon = await aDaemon({
    config: { workspace: { check: "test -f src/cart.ts && echo 'cart checked'" } },
    env: { PATH: tools.path },
  });
  rest = restOf(daemon.url);
  groupId = await rest.group("カートに割引を付ける");
  const write = (...lines: readonly string[]) => ({
    role: "impl-code",
    prompt: [...lines, `#rehearsal wait-for ${gates.first}`].join("\n"),
    workingDirectory: repository.root,
  });
  const { agents } = started.parse(
    await rest.tool("run_agents", {
      groupId,
      agents: [
        write("割引を 10% にして", "#rehearsal edit src/cart.ts export const discount = 10;"),
        write(
          "割引を 20% にして",
          "#rehearsal edit src/cart.ts export const discount = 20;",
          "#rehearsal write src/coupon.ts export const coupon = 1;",
        ),
        write("使い方を書いて", "#rehearsal edit README.md ## 使い方"),
      ],
    }),
  );
  [left = "", right = "", other = ""] = agents.map(({ agentId }) => agentId);
});
test.afterAll(async () => {
  await daemon.end();
  repository.remove();
});

/** From the top, because a target that is half below the header of the page counts as too small. */
async function look(page: Page, name: string): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0));
  await expectGood(page, `${SCREENS}${name}`);
}

const changesOf = (page: Page) => page.getByRole("region", { name: /^(?:変更|Changes)$/ });
const diffOf = (page: Page) => page.getByRole("region", { name: /^(?:差分|Diff)$/ });
const mergesOf = (page: Page) => page.getByRole("region", { name: /^(?:取り込みの記録|Merges)$/ });
const commentsOf = (page: Page) => page.getByRole("region", { name: /^(?:コメント|Comments)$/ });

test("while three agents write in one repository the overlap shows, and the conflict when they end", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, `/groups/${groupId}`);
  const changes = changesOf(page);
  await expect(
    changes.getByText(say("同じファイルを変更しています。", "Both change the same files.")),
  ).toBeVisible();
  await expect(changes.getByRole("article")).toHaveCount(3);
  await look(page, "1-group-at-work");
  // The cards of both agents name the other one.
  for (const [agentId, otherId] of [
    [left, right],
    [right, left],
  ] as const) {
    const link = page.getByRole("link", { name: new RegExp(`^(?!Review).* ${agentId}$`) });
    const card = page.getByRole("article").filter({ has: link });
    await expect(card.getByText(`${say("同じファイル", "Same file")}: ${otherId}`)).toBeVisible();
  }

  writeFileSync(gates.first, "");
  await expect(
    changes.getByText(say("競合します。", "They conflict:"), { exact: false }),
  ).toBeVisible();
  await expect(
    changes.getByText(say("競合するため、次の変更は含まれていません。", "are left out")),
  ).toBeVisible();
  expect(repository.git("status", "--porcelain")).toBe("");
  await changes
    .getByRole("button", { name: say("合わせた差分を表示", "Show the combined diff") })
    .click();
  await expect(diffOf(page).getByText("discount").first()).toBeVisible();
  await look(page, "2-group-conflict");
  await open(page, daemon.url, "/");
  await expect(page.getByText(say("変更の確認 3", "Changes to review 3"))).toBeVisible();
  await look(page, "3-home");
});

test("a person comments with the mouse and with the keyboard, and sends the change back", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, `/agents/${right}?tab=changes`);
  const diff = diffOf(page);
  const line = diff.getByText("export const discount = 20;");
  await expect(line).toBeVisible();
  await look(page, "4-review");
  // Lines that do not wrap can be scrolled with the keyboard.
  const wrap = page.getByRole("switch", { name: say("折り返す", "Wrap lines") });
  await wrap.press("Space");
  await expect(diff.locator("code[tabindex='0']").first()).toBeVisible();
  await look(page, "4-review-not-wrapped");
  await wrap.press("Space");

  await line.hover();
  await diff.locator("[data-utility-button]").click();
  const field = page.getByRole("textbox", { name: /src\/cart\.ts/ });
  await field.fill("設定から読んでください。");
  await page
    .getByRole("button", { name: say("下書きに保存", "Save as draft"), exact: true })
    .click();
  await expect(commentsOf(page).getByText("設定から読んでください。")).toBeVisible();

  await diff.focus();
  await page.keyboard.press("n");
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  const second = page.getByRole("textbox", { name: /src\/coupon\.ts/ });
  await expect(second).toBeFocused();
  const ask = [
    "クーポンは 2 にしてください。",
    "#rehearsal write src/coupon.ts export const coupon = 2;",
    `#rehearsal wait-for ${gates.second}`,
  ];
  await second.fill(ask.join("\n"));
  await page.keyboard.press("Control+Enter");
  await expect(commentsOf(page).getByRole("article")).toHaveCount(2);
  await look(page, "5-comments");

  await page.getByRole("button", { name: say("差し戻す (2)…", "Send back (2)…") }).click();
  const dialog = page.getByRole("dialog");
  await look(page, "6-send-back");
  await dialog.getByRole("button", { name: say("差し戻す", "Send back"), exact: true }).click();
  await expect(
    dialog.getByRole("link", { name: say("エージェントを見る", "See the agent") }),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(
    page.getByText(say("エージェントが作業中です。", "The agent is at work.")),
  ).toBeVisible();
  await expect(commentsOf(page).getByText(say("送信済み", "Sent"), { exact: true })).toHaveCount(2);
  await look(page, "7-sent-back");

  writeFileSync(gates.second, "");
  const versions = page.getByRole("button", { name: say("バージョン", "Version") });
  await expect(versions).toContainText("v2");
  await expect(diff.getByText("export const coupon = 2;")).toBeVisible();
  // The first comment is still at its line; the line of the second one is gone.
  await expect(diff.getByText("設定から読んでください。")).toBeVisible();
  await expect(
    commentsOf(page).getByText(say("古いコメント", "Outdated"), { exact: true }),
  ).toHaveCount(1);
  await look(page, "8-version-2");

  await versions.click();
  await page.getByRole("option", { name: /^v1/ }).click();
  await expect(page).toHaveURL(/version=v1$/);
  await expect(diff.getByText("export const coupon = 1;")).toBeVisible();
  await expect(page.getByText(say("v1 を表示しています。", "This is version 1."))).toBeVisible();
  await expect(page.getByRole("button", { name: say("取り込む…", "Merge…") })).toHaveCount(0);
  await look(page, "9-version-1");
  await versions.click();
  await page.getByRole("option", { name: /^v2/ }).click();
  await expect(diff.getByText("export const coupon = 2;")).toBeVisible();
});

async function mergeAndApprove(
  page: Page,
  agentId: string,
  say: (ja: string, en: string) => string,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  await open(page, daemon.url, `/agents/${agentId}?tab=changes`);
  await page.getByRole("button", { name: say("取り込む…", "Merge…") }).click();
  const dialog = page.getByRole("dialog");
  await expect(
    dialog.getByText(say("main に競合なく取り込めます。", "Merges into main without conflicts.")),
  ).toBeVisible();
  await shoot("10-merge-dialog");
  await dialog.getByRole("button", { name: say("承認を求める", "Ask for the approval") }).click();
  await expect(dialog).toHaveCount(0);
  await expect(
    mergesOf(page).getByText(say("承認待ち", "Awaiting approval"), { exact: true }),
  ).toBeVisible();
  await shoot("11-awaiting-approval");
  await page.getByRole("link", { name: say("承認を開く", "Open the approval") }).click();
  await expect(page).toHaveURL(/\/approvals\/apr-/);
  await expect(page.getByText("test -f src/cart.ts")).toBeVisible();
  await shoot("12-approval");
  await page.getByRole("button", { name: say("承認", "Approve"), exact: true }).click();
  await expect(page.getByText(say("承認済み", "Approved"), { exact: true })).toBeVisible();
}

test("two changes are approved and checked, wait for the checkout, and land there", async ({
  page,
  say,
}) => {
  await mergeAndApprove(page, left, say, (name) => look(page, name));
  await mergeAndApprove(page, other, say, async () => undefined);
  const before = repository.git("rev-parse", "HEAD");
  for (const agentId of [left, other]) {
    await open(page, daemon.url, `/agents/${agentId}?tab=changes`);
    const merges = mergesOf(page);
    await expect(
      merges.getByText(say("取り込み待ち", "Ready to land"), { exact: true }),
    ).toBeVisible();
    await expect(merges.getByText(/git merge --ff-only [0-9a-f]{40}/)).toBeVisible();
    await merges.getByText(say("検査の出力", "Output of the check")).click();
    await expect(merges.getByText("cart checked", { exact: true })).toBeVisible();
    if (agentId === left) {
      expect(repository.git("rev-parse", "HEAD")).toBe(before);
      await look(page, "13-ready-to-land");
    }
    await merges
      .getByRole("button", { name: say("手元も進めて取り込む", "Merge and move my checkout") })
      .click();
    await expect(merges.getByText(say("取り込み済み", "Landed"), { exact: true })).toBeVisible();
    await expect(merges.getByRole("button", { name: say("元に戻す…", "Undo…") })).toBeVisible();
    if (agentId === left) await look(page, "14-landed");
  }
  expect(repository.git("show", "main:src/cart.ts")).toContain("discount = 10;");
  expect(repository.git("show", "main:README.md")).toContain("使い方");
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("the last change conflicts with the branch now: a pull request is opened, then it is discarded", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, `/agents/${right}?tab=changes`);
  await page.getByRole("button", { name: say("取り込む…", "Merge…") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("src/cart.ts")).toBeVisible();
  await look(page, "15-merge-conflict");
  await dialog.getByRole("button", { name: say("キャンセル", "Cancel") }).click();

  await page.getByRole("button", { name: say("プルリクエスト…", "Pull request…") }).click();
  await dialog.getByRole("textbox", { name: say("題名", "Title") }).fill("割引を 20% に");
  await look(page, "16-pull-request");
  await dialog
    .getByRole("button", { name: say("プルリクエストを開く", "Open the pull request") })
    .click();
  await expect(
    dialog.getByRole("link", { name: "https://github.example/o/r/pull/1" }),
  ).toBeVisible();
  expect(tools.opened("gh")).toMatchObject([{ target: "main", title: "割引を 20% に" }]);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: say("破棄…", "Discard…") }).click();
  await dialog.getByRole("textbox").fill("10% に決めたため");
  await look(page, "17-discard");
  await dialog.getByRole("button", { name: say("破棄する", "Discard"), exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(say("破棄済み", "Discarded"), { exact: true })).toBeVisible();
  await look(page, "18-discarded");
  await open(page, daemon.url, "/audit");
  await expect(page.getByText(/10% に決めたため/).first()).toBeVisible();
});

test("the page of a task lists the changes of its agents", async ({ page, say }) => {
  // A writer that is at work in the checkout: the agent of the task gets a worktree.
  const [busy] = started.parse(
    await rest.tool("run_agents", {
      groupId,
      agents: [
        {
          role: "impl-code",
          prompt: `待って\n#rehearsal wait-for ${gates.third}`,
          workingDirectory: repository.root,
        },
      ],
    }),
  ).agents;
  await rest.reachAgent(busy?.agentId ?? "", "running");
  const text = [
    "値段を書いて",
    "#rehearsal steps agent:impl-code",
    "#rehearsal in executor child write src/price.ts export const price = 3;",
  ].join("\n");
  const taskId = await rest.create(text, { workingDirectory: repository.root });
  await rest.decide(await rest.pending(taskId, "prompt"));
  await rest.decide(await rest.pending(taskId, "process"));
  await open(page, daemon.url, `/tasks/${taskId}`);
  await page.getByRole("tab", { name: say("変更 1", "Changes 1") }).click();
  const rows = page.getByRole("tabpanel").getByRole("article");
  await expect(rows.getByText(say("判断待ち", "Undecided"), { exact: true })).toHaveCount(1);
  await look(page, "25-task-changes");
  await rows.getByRole("link").click();
  await expect(diffOf(page).getByText("export const price = 3;")).toBeVisible();
  writeFileSync(gates.third, "");
});

test("the page of the workspaces cleans up, and all of it can be read in English", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, "/workspaces");
  const rows = page.locator("main li");
  await expect(rows.filter({ hasText: /impl-code-/ })).toHaveCount(4);
  await look(page, "19-workspaces");
  const row = rows.filter({ hasText: right });
  await row.getByRole("button", { name: say("片付ける…", "Clean up…") }).click();
  await look(page, "20-clean-up");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("片付ける", "Clean up"), exact: true })
    .click();
  await expect(row.getByText(say("片付け済み", "Cleaned up"), { exact: true })).toBeVisible();
  const list = z.object({ workspaces: z.array(z.object({ status: z.string() })) });
  await until(async () => {
    const { workspaces } = list.parse(await rest.ask("GET", "/api/workspaces"));
    return workspaces.some(({ status }) => status === "retired");
  }, "a workspace to be cleaned up");

  await speak(page, "en");
  await look(page, "21-workspaces-en");
  const pages = {
    "22-group-en": `/groups/${groupId}`,
    "23-landed-en": `/agents/${left}?tab=changes`,
    "24-discarded-en": `/agents/${right}?tab=changes`,
  };
  for (const [name, path] of Object.entries(pages)) {
    await open(page, daemon.url, path);
    await look(page, name);
  }
});
