import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aDaemon, aPlace, command, readDaemonFile, until } from "../kit/daemon.ts";
import { aPty, KEYS } from "../kit/pty.ts";

const ENGLISH = { LANG: "en_US.UTF-8" };

test("serve in a terminal greets in one language and keeps the log out of sight", async () => {
  const place = aPlace();
  const screen = aPty(place, [], { columns: 120, env: ENGLISH });

  await screen.waitFor(/Dashboard +http:\/\/127\.0\.0\.1:\d+/);
  await screen.waitFor("● No agent CLI found: rehearsing. Install one of Cursor CLI, Claude Code,");
  await screen.waitFor("npx kuromajutsu init");
  await until(() => read(join(place.dataDir, "daemon.log")).includes("Health check complete."));

  expect(screen.history()).not.toMatch(/INFO|migrated|role=|[\u3040-\u30FF]/);
  expect(screen.raw()).toContain("\u001B[");
  const status = await command(place, ["status"]);
  expect(status.stdout).toContain(join(place.dataDir, "daemon.log"));
  screen.type(KEYS.ctrlC);
  expect(await screen.exited()).toBe(0);
  expect(screen.history()).toContain("The daemon has stopped. No agent is running.");
});

test("serve in a terminal starts in a home directory that has no folder for data yet", async () => {
  const place = aPlace();
  const dataDir = join(place.dataDir, "state", "kuromajutsu", "default");
  const env = { ...ENGLISH, KUROMAJUTSU_DATA_DIR: dataDir };
  const screen = aPty(place, ["serve"], { columns: 120, env });

  await screen.waitFor(/Dashboard +http:\/\/127\.0\.0\.1:\d+/);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);

  screen.type(KEYS.ctrlC);
  expect(await screen.exited()).toBe(0);
});

test("serve names roles in the language of its terminal", async () => {
  const place = aPlace();
  const screen = aPty(place, ["serve"], { columns: 200, env: ENGLISH });
  await screen.waitFor("Ctrl-C");

  expect(await command(place, ["run", "--yes", "Tidy up the docs"])).toMatchObject({ code: 0 });

  await screen.waitForLine(/✓ Completed/);
  expect(screen.history()).toContain("Code implementer");
  expect(screen.history()).not.toMatch(/[\u3040-\u30FF]/);
});

test("serve tells in the terminal what happens to a task, in Japanese", async () => {
  const place = aPlace();
  const screen = aPty(place, ["serve"], { columns: 200, env: { LANG: "ja_JP.UTF-8" } });
  await screen.waitFor("Ctrl-C");

  const ran = await command(place, ["run", "--yes", "README を要約して"]);

  expect(ran).toMatchObject({ code: 0 });
  await screen.waitForLine(/✓ 完了/);
  expect(screen.history()).toMatch(
    /\d\d:\d\d:\d\d {2}\+ 依頼 +README を要約して {2}あなた \(local\)/,
  );
  // A person opens the address of what waits for them, and of the result.
  expect(screen.history()).toMatch(/\? 判断待ち .* http:\S+\/approvals\/apr-/);
  expect(screen.history()).toMatch(/✓ 完了 +README を要約して {2}http:\S+\/tasks\/task-/);
  for (const line of [
    "? 判断待ち",
    "✓ 承認",
    "▶ 実行開始",
    "· エージェント開始",
    "· エージェント終了",
  ]) {
    expect(screen.history()).toContain(line);
  }
});

test("serve --quiet shows the address and nothing of what happens", async () => {
  const place = aPlace();
  const screen = aPty(place, ["serve", "--quiet"], { env: ENGLISH });
  await screen.waitFor(/^http:\/\/127\.0\.0\.1:\d+/);

  await command(place, ["run", "--yes", "README を要約して"]);

  expect(screen.history().trim()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test("Ctrl-C in serve says how many agents go on", async () => {
  const place = aPlace();
  const screen = aPty(place, [], { columns: 120, env: ENGLISH });
  await screen.waitFor("Ctrl-C");
  await command(place, ["run", "--detach", "greet\n#rehearsal in task-analyst sleep 60000"]);
  await screen.waitForLine("Agent started");

  screen.type(KEYS.ctrlC);

  expect(await screen.exited()).toBe(0);
  expect(screen.history()).toContain("1 agent goes on; the next daemon looks after it.");
});

test("without colours the terminal gets no escape sequences", async () => {
  const screen = aPty(aPlace(), [], { columns: 120, env: { ...ENGLISH, NO_COLOR: "1" } });

  await screen.waitFor("Ctrl-C");

  expect(screen.raw()).not.toContain("\u001B[3");
});

test("a command that starts a daemon in the background says so, with the address", async () => {
  const place = aPlace();
  const screen = aPty(place, ["tasks"], { columns: 120, env: ENGLISH });

  await screen.waitFor(/Started a daemon in the background\. Dashboard: http:\/\/127\.0\.0\.1:\d+/);
  expect(await screen.exited()).toBe(0);
  const again = aPty(place, ["tasks"], { columns: 120, env: ENGLISH });
  expect(await again.exited()).toBe(0);
  expect(again.history()).not.toContain("Started a daemon");
  await command(place, ["stop"]);
});

test("mcp typed into a terminal explains itself and ends", async () => {
  const screen = aPty(aPlace(), ["mcp"], { columns: 140, rows: 50, env: ENGLISH });

  expect(await screen.exited()).toBe(0);
  expect(screen.history()).toContain("MCP clients such as Cursor or Claude Code start it");
  expect(screen.history()).toContain("npx kuromajutsu init");
  expect(screen.history()).toContain('"mcpServers": {');
  expect(screen.history()).toContain("claude mcp add kuromajutsu -- ");
});

test("open prints the address of a daemon that it starts, also where there is no browser", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });

  const opened = await command(place, ["open"]);

  expect(opened).toMatchObject({ code: 0, stdout: `${readDaemonFile(place)?.url}\n` });
  expect(opened.stderr).toContain("There is no browser to open here.");
  await command(place, ["stop"]);
});

async function serveOnDesktop(args: readonly string[], env: Record<string, string>) {
  const place = aPlace();
  const opened = join(place.dir, "opened");
  const path = `${aBrowser(place.dir, opened)}:${place.env["PATH"]}`;
  const screen = aPty(place, ["serve", ...args], {
    columns: 120,
    env: { ...ENGLISH, DISPLAY: ":7", PATH: path, ...env },
  });
  await screen.waitFor("Ctrl-C");
  return { place, opened };
}

test("in a terminal of a desktop serve opens the browser", async () => {
  const { place, opened } = await serveOnDesktop([], {});

  await until(() => existsSync(opened) && read(opened) !== "");
  expect(read(opened).trim()).toBe(readDaemonFile(place)?.url);
});

test.each([
  ["with --no-open", ["--no-open"], {}],
  ["over SSH", [], { SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }],
  ["in CI", [], { CI: "1" }],
])("%s serve opens no browser", async (_where, args, env) => {
  const { opened } = await serveOnDesktop(args, env);

  // The browser would be opened after 0.7 s.
  await sleep(2_500);
  expect(existsSync(opened)).toBe(false);
});

/** A folder with an xdg-open that writes the address to a file. */
function aBrowser(dir: string, opened: string): string {
  const bin = join(dir, "desktop");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\necho "$1" > '${opened}'\n`);
  chmodSync(join(bin, "xdg-open"), 0o755);
  return bin;
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

test("serve without a terminal begins with the banner; the log follows, with one line about migrations", async () => {
  const place = aPlace(ENGLISH);
  await aDaemon(place);
  const log = place.log();

  const lines = log.split("\n").filter((line) => line.trim() !== "");
  expect(lines[0]).toMatch(/Kuromajutsu \d/);
  expect(lines[1]).toMatch(/Dashboard +http:\/\/127\.0\.0\.1:\d+/);
  expect(log.indexOf("Ctrl-C")).toBeLessThan(log.indexOf("INFO"));
  expect(log.match(/migrat/g)).toHaveLength(2);
  expect(log).toMatch(/The database was migrated\. .*migrations=\d+/);
});

test("serve that cannot start shows its log before the reason", async () => {
  const place = aPlace(ENGLISH);
  await aDaemon(place);

  const second = await command(place, ["serve"]);

  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/INFO [^]*already runs/);
});
