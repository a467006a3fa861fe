import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, open, test } from "./kit.ts";
import { expectAccessible, expectLaidOut } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { restOf, type Rest } from "./kit/rest.ts";

const CLIS = ["bin-limited", "bin"].map((folder) =>
  fileURLToPath(new URL(`../kit/${folder}`, import.meta.url)),
);

/** A Claude Code whose plan is used up for an hour, and a Cursor that works. */
const dir = mkdtempSync(join(tmpdir(), "kuromajutsu-limits-"));
const limit = join(dir, "limit");

let daemon: Daemon;
let rest: Rest;
test.beforeAll(async () => {
  writeFileSync(limit, `${Math.ceil(Date.now() / 1_000) + 3_600}\n`);
  daemon = await aDaemon({
    config: {
      agent: { runner: "claude", env: ["LIMIT_FILE", "LIMIT_LOG"] },
      roles: [{ id: "research", runner: ["claude", "cursor"] }],
    },
    env: {
      PATH: [...CLIS, "/usr/bin", "/bin"].join(":"),
      LIMIT_FILE: limit,
      LIMIT_LOG: join(dir, "log"),
    },
  });
  rest = restOf(daemon.url);
});
test.afterAll(async () => {
  await daemon.end();
  rmSync(dir, { recursive: true });
});

test("a runner at a limit is shown with its reset on every page, and a person can try it at once", async ({
  page,
  say,
}) => {
  const paused = say("claude の利用枠が上限に達しました。", "claude is out of quota.");
  const groupId = await rest.group("枠を使い切った組");
  const [agentId = ""] = await rest.run(groupId, ["やって"]);

  await open(page, daemon.url, "/health");
  await expect(page.getByRole("status").filter({ hasText: paused })).toBeVisible();
  const card = page.getByRole("region", { name: say("休止中のランナー", "Paused runners") });
  await expect(card).toContainText("You have hit your session limit");
  await expectAccessible(page);
  await expectLaidOut(page);

  await open(page, daemon.url, "/roles");
  const role = (name: string) => page.locator("article").filter({ hasText: name });
  await expect(role("impl-code").getByText(say("休止中", "Paused"), { exact: true })).toBeVisible();
  await expect(role("research")).toContainText(
    say("代わりに cursor を使います。", "cursor is used instead."),
  );
  await expectAccessible(page);

  await open(page, daemon.url, `/agents/${agentId}`);
  await expect(page.getByRole("main").getByText(paused).first()).toBeVisible();

  rmSync(limit);
  await open(page, daemon.url, "/health");
  await page.getByRole("button", { name: say("claude を今すぐ試す", "Try claude now") }).click();
  await rest.reachAgent(agentId, "completed");
  await expect(card).toHaveCount(0);
  await expect(page.getByText(paused)).toHaveCount(0);
});

test("the form of a role orders its runners, and one model belongs to the first of them", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, "/roles/research");
  const list = page.getByRole("group", {
    name: say("優先順位を決める", "In order of preference"),
  });
  await expect(list.getByRole("listitem")).toHaveText([/1\s*claude/, /2\s*cursor/]);
  await list.getByRole("button", { name: say("cursor を上へ", "Move cursor up") }).click();
  await expect(list.getByRole("listitem")).toHaveText([/1\s*cursor/, /2\s*claude/]);
  await expectAccessible(page);
  const model = page.getByRole("combobox", { name: say("モデル (cursor)", "Model (cursor)") });
  await model.fill("defau");
  await page.getByRole("option", { name: /^default/ }).click();
  await page.getByRole("button", { name: say("差分を確認して保存…", "Review and save…") }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByRole("button", { name: say("保存", "Save") })
    .last()
    .click();
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(async () => (await fetch(`${daemon.url}/api/roles/research`)).json())
    .toMatchObject({ runner: ["cursor", "claude"], model: "default" });
});
