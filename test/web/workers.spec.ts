import { fileURLToPath } from "node:url";
import { aDeadJob } from "../kit/postgres/dead-jobs.ts";
import { expect, open, type Page, speak, test } from "./kit.ts";
import { expectAccessible, expectGood } from "./kit/checks.ts";
import { aDaemon, type Daemon, until } from "./kit/daemon.ts";
import { PEOPLE, signIn } from "./kit/people.ts";
import { aPostgres, aWorker, type Postgres, startWorker, type TestWorker } from "./kit/postgres.ts";
import { restOf, type Rest } from "./kit/rest.ts";

const SCREENS = fileURLToPath(new URL("../../test-results/workers/", import.meta.url));
const CONFIG = { store: { lease_ms: 3_000 } };
const HANG = "#rehearsal hang";
/** The System page lists this many jobs that were given up. */
const SHOWN_JOBS = 100;

const DEAD_JOBS = [
  {
    kind: "agent_settled",
    id: "impl-code-1763340000000-k3f9",
    error: 'Error: relation "stage_notes" does not exist',
    minutesAgo: 4,
  },
  {
    kind: "task_due",
    id: "task-01k9zq3v7m",
    error: `Error: ${"git merge-tree failed in /srv/repositories/a-rather-long-name/app: ".repeat(8)}`,
    minutesAgo: 95,
  },
  { kind: "from_the_future", id: "x", error: "", minutesAgo: 2_000 },
];

let postgres: Postgres | undefined;
let daemon: Daemon;
/** The second server, where people sign in. */
let guarded: Daemon;
let rest: Rest;
const workers: TestWorker[] = [];

test.beforeAll(async () => {
  test.setTimeout(240_000);
  postgres = await aPostgres();
  if (!postgres) return;
  const env = { KUROMAJUTSU_DATABASE_URL: postgres.url };
  daemon = await aDaemon({ config: { ...CONFIG, server: { labels: ["docs"], slots: 2 } }, env });
  guarded = await aDaemon({ config: { ...CONFIG, auth: { users: PEOPLE } }, env });
  rest = restOf(daemon.url);
});

test.afterAll(async () => {
  if (!postgres) return;
  for (const worker of workers) await worker.end();
  await daemon.end();
  await guarded.end();
  await postgres.end();
});

test("with SQLite the page of workers says that they need PostgreSQL, and no menu links to it", async ({
  page,
  stage,
  say,
}) => {
  const { daemon: alone } = await stage();
  await open(page, alone.url, "/workers");
  await expect(
    page.getByText(say("ワーカーには PostgreSQL が必要です。", "Workers need PostgreSQL.")),
  ).toBeVisible();
  await expect(page.getByText(say("docs/scale.ja.md", "docs/scale.md"))).toBeVisible();
  await expect(page.locator('a[href="/workers"]')).toHaveCount(0);
  await expect(page.locator("main").getByRole("button")).toHaveCount(0);
  await expectGood(page, `${SCREENS}sqlite`);
});

test.describe("with PostgreSQL", () => {
  test.describe.configure({ mode: "serial" });
  test.beforeEach(() => test.skip(postgres === undefined, "No PostgreSQL runs on this machine."));

  test("an admin adds a worker: the token is shown once, and the dialog shows that it connects", async ({
    page,
    calm,
    say,
  }) => {
    calm.expect(/status of 409/);
    await open(page, daemon.url, "/");
    await page.getByRole("link", { name: say("ワーカー", "Workers"), exact: true }).click();
    await expect(page.getByText(say("ワーカーはまだありません", "No workers yet"))).toBeVisible();
    const { dialog, token } = await addWorker(page, say, "build-1", "gpu、repo:app");
    const command = dialog.getByText(/^kuromajutsu worker --server/);
    await expect(command).toHaveText(
      `kuromajutsu worker --server ${daemon.url} --token-file ~/worker-token --label gpu --label repo:app`,
    );
    await expect(dialog.getByText(say("未接続", "Never connected"))).toBeVisible();
    await expectGood(page, `${SCREENS}token`);
    // A token that cannot be shown again is not lost by a key or a click beside the dialog.
    await page.keyboard.press("Escape");
    await page.mouse.click(4, 4);
    workers.push(await startWorker(daemon.url, token, { labels: ["gpu", "repo:app"] }));
    await expect(dialog.getByText(say("接続中", "Connected"))).toBeVisible();
    await dialog.getByRole("button", { name: say("完了", "Done") }).press("Enter");
    await expect(
      page.getByRole("button", { name: say("ワーカーを追加", "Add worker") }),
    ).toBeFocused();

    await expect(
      row(page, "build-1").getByRole("list", { name: say("ラベル", "Labels") }),
    ).toHaveText("gpurepo:app");
    await expect(page.getByText(token)).toHaveCount(0);
  });

  test("a name that is taken or not allowed is refused with a sentence", async ({
    page,
    calm,
    say,
  }) => {
    calm.expect(/status of 409/);
    await open(page, daemon.url, "/workers");
    await page.getByRole("button", { name: say("ワーカーを追加", "Add worker") }).click();
    const dialog = page.getByRole("dialog");
    const name = dialog.getByLabel(say("名前", "Name"), { exact: true });
    const create = dialog.getByRole("button", { name: say("トークンを作成", "Create token") });
    await name.fill("Build 1");
    await expect(dialog.getByText(say("小文字の英字、数字", "Use small letters"))).toBeVisible();
    await expect(create).toBeDisabled();
    await name.fill("build-1");
    await name.press("Enter");
    await expect(dialog.getByRole("alert")).toContainText(
      say("同じ名前のワーカーがあります。", "There is a worker build-1 already."),
    );
    await expectGood(page, `${SCREENS}exists`);
  });

  test("the page shows every state of a worker in words, and refreshes by itself", async ({
    page,
    say,
  }) => {
    const [docs, spare, gone] = await Promise.all([
      aWorker(rest, "docs-tokyo", { labels: ["docs"], slots: 1 }),
      aWorker(rest, "spare-2"),
      aWorker(rest, "lab-old", { slots: 8 }),
    ]);
    workers.push(docs, spare, gone);
    await rest.ask("POST", "/api/workers", { name: "mac-mini", labels: ["macos", "xcode"] });
    const group = await rest.group("ワーカーで動かす");
    const agents = [{ role: "impl-code", prompt: HANG, labels: ["gpu"] }];
    await rest.tool("run_agents", { groupId: group, agents: [...agents, ...agents] });
    await open(page, daemon.url, "/workers");
    await expect(row(page, "build-1").getByRole("meter")).toHaveAttribute(
      "aria-valuetext",
      say("エージェント 2 / 4", "2 of 4 agents"),
    );
    await expect(row(page, "mac-mini").getByText(say("未接続", "Never connected"))).toBeVisible();
    // More slots than agent.maxConcurrent allows are named as such.
    const idleSlots = page.getByText(/agent\.maxConcurrent/);
    await expect(idleSlots).toBeVisible();

    spare.signal("SIGTERM");
    gone.signal("SIGKILL");
    await expect(row(page, "spare-2").getByText(say("停止中", "Stopped"))).toBeVisible();
    await expect(row(page, "lab-old").getByText(say("応答なし", "Lost"))).toBeVisible();
    await expect(row(page, "docs-tokyo").getByText(say("接続中", "Connected"))).toBeVisible();
    await expect(idleSlots).toHaveCount(0);
    workers[0]?.signal("SIGTERM");
    await expect(row(page, "build-1").getByText(say("終了待ち", "Draining"))).toBeVisible();
    for (const language of ["ja", "en"] as const) {
      await speak(page, language);
      await expectGood(page, `${SCREENS}workers-${language}`);
    }
  });

  test("a worker of another version is marked", async ({ page, say }) => {
    // Real workers of these tests have the version of the server, so the answer is changed.
    await page.route("**/api/workers", async (route) => {
      const answer = await route.fetch();
      const text = await answer.text();
      await route.fulfill({
        response: answer,
        body: text.replace(/"version":"[^"]+"/, '"version":"0.0.9"'),
      });
    });
    await open(page, daemon.url, "/workers");
    const marked = page.getByText(say("サーバーは", "the server has"));
    await expect(marked).toHaveCount(1);
    await expect(row(page, "build-1")).toContainText("0.0.9");
    await expectGood(page, `${SCREENS}version`);
  });

  test("the System page shows the servers, and that their configurations differ", async ({
    page,
    say,
  }) => {
    await open(page, daemon.url, "/system");
    const servers = page.getByRole("list", { name: say("サーバー", "Servers") });
    await expect(servers.getByRole("listitem").filter({ hasText: "pid" })).toHaveCount(2);
    await expect(
      page.getByText(say("サーバーの設定が同じではありません", "different config")),
    ).toBeVisible();
    await expectGood(page, `${SCREENS}system`);
  });

  test("the System page shows jobs that were given up, and operators try them again", async ({
    page,
    context,
    say,
  }) => {
    const { url } = postgres ?? daemon;
    const section = deadJobs(page, say);
    await open(page, daemon.url, "/system");
    await expect(page.getByRole("list", { name: say("サーバー", "Servers") })).toBeVisible();
    await expect(section).toHaveCount(0);
    for (const job of DEAD_JOBS) await aDeadJob(url, job);
    await signIn(context, guarded.url, "victor");
    await open(page, guarded.url, "/system");
    await expect(section.getByRole("listitem")).toHaveCount(DEAD_JOBS.length);
    await expect(section.getByRole("button")).toHaveCount(0);

    await open(page, daemon.url, "/system");
    await expect(section.getByRole("listitem")).toHaveCount(DEAD_JOBS.length);
    for (const language of ["ja", "en"] as const) {
      await speak(page, language);
      await expectGood(page, `${SCREENS}jobs-${language}`);
    }
    await speak(page, say("ja", "en") === "ja" ? "ja" : "en");
    await section
      .getByRole("listitem")
      .filter({ hasText: "task-01k9" })
      .getByRole("button", { name: say("再試行", "Try again") })
      .click();
    await expect(section.getByRole("listitem")).toHaveCount(DEAD_JOBS.length - 1);
    await expect(section).toBeFocused();
    await expect(
      page.getByText(say("ジョブ 1 件をキューに戻しました", "1 job is back")),
    ).toBeVisible();
    await section.getByRole("button", { name: say("すべて再試行", "Try all again") }).click();
    await expect(section).toHaveCount(0);
  });

  test("a job that was given up links to what it is about, and says so if its error is unknown", async ({
    page,
    say,
  }) => {
    for (const kind of ["agent_settled", "task_due", "question_answered"]) {
      await aDeadJob(postgres?.url ?? "", { kind, id: `of-${kind}`, error: "" });
    }
    await open(page, daemon.url, "/system");
    const section = deadJobs(page, say);
    for (const [kind, path] of [
      ["agent_settled", "/agents"],
      ["task_due", "/tasks"],
      ["question_answered", "/approvals"],
    ]) {
      const job = section.getByRole("listitem").filter({ hasText: `of-${kind}` });
      await expect(job.getByRole("link")).toHaveAttribute("href", `${path}/of-${kind}`);
      await expect(job).toContainText(
        say("エラーの内容は記録されていません。", "The error is not known."),
      );
      await expect(job).toContainText(say("9 回失敗", "failed 9 times"));
    }
    await rest.ask("POST", "/api/jobs/retry", {});
    await page.reload();
    await expect(section).toHaveCount(0);
  });

  test("a person who tries a job again too late learns that another person was faster", async ({
    page,
    calm,
    say,
  }) => {
    calm.expect(/status of 404/);
    const section = deadJobs(page, say);
    // The other person's request arrives after the press and before the request of the page.
    await page.route("**/api/jobs/retry", async (route) => {
      await rest.ask("POST", "/api/jobs/retry", {});
      await route.continue();
    });
    await open(page, daemon.url, "/system");
    for (const { press, answer } of [
      {
        press: say("再試行", "Try again"),
        answer: say(
          "このジョブは、すでに再試行されたか、見つかりません。",
          "was given up, or it was tried again already.",
        ),
      },
      {
        press: say("すべて再試行", "Try all again"),
        answer: say("ほかの人がすでに再試行しています", "Another person has already tried"),
      },
    ]) {
      for (const id of ["late-1", "late-2"]) {
        await aDeadJob(postgres?.url ?? "", { kind: "from_the_future", id, error: "Error: no" });
      }
      await expect(section.getByRole("listitem")).toHaveCount(2);
      await section.getByText(press, { exact: true }).first().click();
      await expect(page.getByText(answer)).toBeVisible();
      await expect(section).toHaveCount(0);
    }
  });

  test("the System page says how many older jobs it does not show, and tries them again, too", async ({
    page,
    say,
  }) => {
    for (let n = 1; n <= SHOWN_JOBS + 3; n++) {
      await aDeadJob(postgres?.url ?? "", {
        kind: "from_the_future",
        id: `of-many-${n}`,
        error: "",
      });
    }
    await open(page, daemon.url, "/system");
    const section = deadJobs(page, say);
    await expect(section.getByRole("listitem")).toHaveCount(SHOWN_JOBS);
    await expect(section).toContainText(
      say("ほかに古いものが 3 件あります。", "3 older ones are not shown."),
    );
    await section.getByRole("button", { name: say("すべて再試行", "Try all again") }).click();
    await expect(
      page.getByText(
        say(
          `ジョブ ${SHOWN_JOBS + 3} 件をキューに戻しました`,
          `${SHOWN_JOBS + 3} jobs are back in the queue`,
        ),
      ),
    ).toBeVisible();
    await expect(section).toHaveCount(0);
  });

  for (const name of ["bob", "victor"] as const) {
    test(`without the role admin, ${name} sees workers, but cannot add or revoke them`, async ({
      page,
      context,
      say,
    }) => {
      await signIn(context, guarded.url, name);
      await open(page, guarded.url, "/workers");
      await expect(row(page, "build-1")).toBeVisible();
      await expect(page.locator("main").getByRole("button")).toHaveCount(0);
      await expect(page.getByRole("link", { name: say("ワーカー", "Workers") })).toBeVisible();
      await page.screenshot({ path: `${SCREENS}${name}.png` });
    });
  }

  test("revoking a worker says how many agents are lost, and takes its row away", async ({
    page,
    say,
  }) => {
    await open(page, daemon.url, "/workers");
    await page.getByRole("button", { name: say("build-1 を取り消す", "Revoke build-1") }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(
      say("エージェント 2 体は終了し、行方不明になります。", "2 agents run there now."),
    );
    await expectGood(page, `${SCREENS}revoke`);
    await dialog.getByRole("button", { name: say("取り消す", "Revoke"), exact: true }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(row(page, "build-1")).toHaveCount(0);
    // The button that had the focus is gone with its row.
    await expect(page.getByRole("region", { name: say("ワーカー", "Workers") })).toBeFocused();
    await expect(row(page, "mac-mini")).toBeVisible();
    await until(
      async () => JSON.stringify(await rest.ask("GET", "/api/agents")).includes('"lost"'),
      "lost",
    );
  });
});

function row(page: Page, name: string) {
  return page
    .locator("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { level: 2, name: new RegExp(`^${name}`) }) });
}

function deadJobs(page: Page, say: (ja: string, en: string) => string) {
  return page.getByRole("region", { name: say("あきらめたジョブ", "Jobs that were given up") });
}

async function addWorker(
  page: Page,
  say: (ja: string, en: string) => string,
  name: string,
  labels: string,
) {
  await page.getByRole("button", { name: say("ワーカーを追加", "Add worker") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(say("名前", "Name"), { exact: true }).fill(name);
  await dialog.getByLabel(say("許可するラベル", "Allowed labels")).fill(labels);
  await expectAccessible(page);
  await page.screenshot({ path: `${SCREENS}add.png` });
  await dialog.getByRole("button", { name: say("トークンを作成", "Create token") }).click();
  const token = await dialog.getByText(/^kmw_/).textContent();
  return { dialog, token: token ?? "" };
}
