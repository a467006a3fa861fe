import { fileURLToPath } from "node:url";
import { z } from "zod";
import { expect, open, type Page, speak, test } from "./kit.ts";
import { aCursorCli, CLAUDE_FOLDER } from "./kit/agent-clis.ts";
import { expectGood } from "./kit/checks.ts";
import { aDaemon, type Daemon, until } from "./kit/daemon.ts";
import {
  aPostgres,
  aWorker,
  aWorkerToken,
  type Postgres,
  startWorker,
  type TestWorker,
} from "./kit/postgres.ts";
import { restOf, type Rest } from "./kit/rest.ts";

const SCREENS = fileURLToPath(new URL("../../test-results/worker-marks/", import.meta.url));
const SHIFTED_CLOCK = fileURLToPath(new URL("../kit/shifted-clock.mjs", import.meta.url));
const CONFIG = {
  store: { lease_ms: 3_000 },
  agent: { runner: "cursor" },
  // Only workers run agents.
  server: { slots: 0 },
};
const started = z.looseObject({ agents: z.array(z.looseObject({ agentId: z.string() })) });

let postgres: Postgres | undefined;
let daemon: Daemon;
let rest: Rest;
let token: string;
const daemons: Daemon[] = [];
const workers: TestWorker[] = [];
const cli = aCursorCli();
const other = aCursorCli();

test.beforeAll(async () => {
  test.setTimeout(240_000);
  postgres = await aPostgres();
  if (!postgres) return;
  daemon = await aServer();
  rest = restOf(daemon.url);
  token = await aWorkerToken(rest, "build-1");
  workers.push(
    await startBuild(),
    await aWorker(rest, "spare", { path: [other.folder, CLAUDE_FOLDER] }),
  );
});

test.afterAll(async () => {
  for (const worker of workers) await worker.end();
  for (const each of daemons) await each.end();
  await postgres?.end();
  for (const each of [cli, other]) each.end();
});

/** A server whose clock is wrong by this much. */
async function aServer(shiftMs = 0): Promise<Daemon> {
  const env = {
    KUROMAJUTSU_DATABASE_URL: postgres?.url ?? "",
    ...(shiftMs !== 0 && {
      NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`,
      SHIFTED_CLOCK_MS: String(shiftMs),
    }),
  };
  const server = await aDaemon({ config: CONFIG, env });
  daemons.push(server);
  return server;
}

/** The worker that has the label gpu, and whose Cursor CLI the tests sign out. */
function startBuild(): Promise<TestWorker> {
  return startWorker(daemon.url, token, { labels: ["gpu"], path: [cli.folder] });
}

/** Runs an agent on build-1, and waits until it ends. */
async function runOnBuild(status: "completed" | "failed"): Promise<void> {
  const groupId = await rest.group("ワーカーで動かす");
  const agents = [{ role: "impl-code", prompt: "挨拶を書く", labels: ["gpu"] }];
  let agentId = "";
  // A server may not know yet that a worker has connected.
  await until(async () => {
    const answer = await rest.tool("run_agents", { groupId, agents }).catch(() => ({ agents: [] }));
    agentId = started.parse(answer).agents[0]?.agentId ?? "";
    return agentId !== "";
  }, "an agent");
  await rest.reachAgent(agentId, status);
}

test.describe("with PostgreSQL", () => {
  test.describe.configure({ mode: "serial" });
  test.beforeEach(() => test.skip(postgres === undefined, "No PostgreSQL runs on this machine."));

  test("the Workers page shows the version of each agent CLI of a worker", async ({
    page,
    say,
  }) => {
    await open(page, daemon.url, "/workers");
    await expect(row(page, "build-1")).toContainText(
      say("ランナー: cursor 2026.09.18-fake", "Runners: cursor 2026.09.18-fake"),
    );
    await expect(row(page, "spare")).toContainText("cursor 2026.09.18-fake");
    await expect(row(page, "spare")).toContainText("claude 2.1.325");
  });

  test("a CLI that is signed out is named at its worker only, until an agent gets an answer there", async ({
    page,
    say,
  }) => {
    const problem = say("cursor がサインアウトしています。", "cursor is signed out.");
    await open(page, daemon.url, "/workers");
    await expect(row(page, "build-1")).toContainText("cursor 2026.09.18-fake");
    await expect(page.getByText(problem)).toHaveCount(0);
    cli.signOut();
    await runOnBuild("failed");
    await expect(row(page, "build-1").getByText(problem)).toBeVisible();
    await expect(page.getByText(problem)).toHaveCount(1);
    for (const language of ["ja", "en"] as const) {
      await speak(page, language);
      await expectGood(page, `${SCREENS}signed-out-${language}`);
    }
    await speak(page, say("ja", "en") === "ja" ? "ja" : "en");

    cli.signIn();
    await runOnBuild("completed");
    await expect(page.getByText(problem)).toHaveCount(0);
  });

  test("a worker that connects again is no longer shown as signed out", async ({ page, say }) => {
    const problem = say("cursor がサインアウトしています。", "cursor is signed out.");
    await open(page, daemon.url, "/workers");
    cli.signOut();
    await runOnBuild("failed");
    await expect(row(page, "build-1").getByText(problem)).toBeVisible();
    workers[0]?.signal("SIGTERM");
    await expect(row(page, "build-1").getByText(say("停止中", "Stopped"))).toBeVisible();
    await expect(page.getByText(problem)).toHaveCount(0);

    workers.push(await startBuild());
    await expect(row(page, "build-1").getByText(say("接続中", "Connected"))).toBeVisible();
    await expect(page.getByText(problem)).toHaveCount(0);
    cli.signIn();
  });

  test("a CLI that was removed from a worker is named there", async ({ page, say }) => {
    await open(page, daemon.url, "/workers");
    cli.uninstall();
    await runOnBuild("failed");
    await expect(
      row(page, "build-1").getByText(say("cursor が見つかりません。", "cursor was not found.")),
    ).toBeVisible();
    cli.install();
  });

  test("servers whose clocks are wrong are marked with how much and in which direction", async ({
    page,
    say,
  }) => {
    const note = page.getByText(say("時計がずれているサーバー", "The clock of a server is wrong."));
    await open(page, daemon.url, "/workers");
    await expect(page.getByText("pid")).toHaveCount(1);
    await expect(note).toHaveCount(0);
    await aServer(7_500_000);
    await aServer(-75_000);
    const fast = say("時計が 2 時間 5 分進んでいます", "clock 2 h 5 min fast");
    const slow = say("時計が 1 分 15 秒遅れています", "clock 1 min 15 s slow");
    for (const path of ["/workers", "/system"]) {
      await open(page, daemon.url, path);
      const servers = page.getByRole("list", { name: say("サーバー", "Servers"), exact: true });
      await expect(servers.getByRole("listitem").filter({ hasText: "pid" })).toHaveCount(3);
      await expect(servers.getByText(fast)).toBeVisible();
      await expect(servers.getByText(slow)).toBeVisible();
      const right = servers
        .getByRole("listitem")
        .filter({ hasText: say("表示中のサーバー", "this server") });
      await expect(right).toContainText(say("リーダー", "leader"));
      await expect(right).not.toContainText(say("時計", "clock"));
      await expect(right).toContainText(say("スロットなし", "No slots"));
      await expect(note).toBeVisible();
    }
    cli.signOut();
    await runOnBuild("failed");
    await open(page, daemon.url, "/workers");
    for (const language of ["ja", "en"] as const) {
      await speak(page, language);
      await expectGood(page, `${SCREENS}clocks-${language}`);
    }
  });
});

function row(page: Page, name: string) {
  return page
    .locator("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { level: 2, name: new RegExp(`^${name}`) }) });
}
