import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { encodeHeader, paddingOf } from "../../src/adapters/backup/tar-header.ts";
import { aDaemon, anHttpClient, aPlace, command, type Place, run, until } from "../kit/daemon.ts";
import { rounds } from "../kit/rounds.ts";
import { sharedByTests } from "../kit/when-done.ts";

const post = async (url: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return z.record(z.string(), z.unknown()).parse(await answer.json());
};

/** A daemon with one agent that runs, one that has ended, and one task. */
async function aBusyDaemon(place: Place) {
  const daemon = await aDaemon(place);
  const { call } = await anHttpClient(daemon.url);
  const { groupId } = await call("create_group", { description: "backup" });
  const agents = [
    { role: "research", prompt: "待つ\n#rehearsal sleep 600000" },
    { role: "research", prompt: "#rehearsal say hello" },
  ];
  await call("run_agents", { groupId, agents });
  await until(() => count(place.dataDir, "agents where status = 'running'") === 1);
  await until(() => count(place.dataDir, "agents where process = 'ended'") === 1);
  await post(daemon.url, "/api/tasks", { text: "保存される依頼" });
  return daemon;
}

function open(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, "kuromajutsu.db"), { readOnly: true });
}

function count(dataDir: string, what: string): number {
  const database = open(dataDir);
  try {
    return Number(database.prepare(`select count(*) as n from ${what}`).get()?.["n"]);
  } finally {
    database.close();
  }
}

/** Every row of every table, as text. */
function rowsOf(dataDir: string): Record<string, readonly string[]> {
  const database = open(dataDir);
  try {
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
      .all()
      .map(({ name }) => String(name));
    return Object.fromEntries(
      tables.map((name) => [
        name,
        database
          .prepare(`select * from "${name}"`)
          .all()
          .map((row) =>
            JSON.stringify(row, (_key, value: unknown) =>
              typeof value === "bigint" ? String(value) : value,
            ),
          )
          .toSorted(),
      ]),
    );
  } finally {
    database.close();
  }
}

const backUp = (place: Place, file: string, ...more: string[]) =>
  command(place, ["backup", file, ...more]);

/** A place whose data directory is the restored one. */
const at = (place: Place, dataDir: string): Place => ({
  ...place,
  dataDir,
  env: { ...place.env, KUROMAJUTSU_DATA_DIR: dataDir },
});

test("a backup of a stopped daemon has every row, every transcript and a whole audit", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  const daemon = await aBusyDaemon(place);
  await command(place, ["stop", "--stop-agents"]);
  await until(() => daemon.process.exitCode !== null);
  const file = join(place.dir, "a.backup");

  const made = await backUp(place, file);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toContain(`Saved to ${file}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // Every tar program reads it.
  const listed = spawnSync("tar", ["-tzf", file], { encoding: "utf8" });
  expect(listed.status).toBe(0);
  expect(listed.stdout).toContain("data/kuromajutsu.db\n");
  expect(listed.stdout).not.toMatch(/lock\.db|daemon\.json|\.run\//);

  const to = join(place.dir, "elsewhere");
  const restored = await command(place, ["restore", file, "--to", to]);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  expect(restored.stdout).toContain("The audit is whole");
  expect(rowsOf(to)).toEqual(rowsOf(place.dataDir));
  const spool = readdirSync(join(place.dataDir, "spool"));
  expect(spool.length).toBeGreaterThan(0);
  for (const name of spool) {
    expect(readFileSync(join(to, "spool", name))).toEqual(
      readFileSync(join(place.dataDir, "spool", name)),
    );
  }
  expect(statSync(to).mode & 0o777).toBe(0o700);
  expect(statSync(join(to, "audit.key")).mode & 0o777).toBe(0o600);
  expect(await command(at(place, to), ["audit", "verify"])).toMatchObject({ code: 0 });
  expect(readdirSync(place.dir).filter((name) => name.startsWith(".kuromajutsu"))).toEqual([]);
});

test("backups under load are consistent, and have everything acknowledged before they began", async () => {
  const place = aPlace();
  const daemon = await aBusyDaemon(place);
  const over = new AbortController();
  const acknowledged: string[] = [];
  onTestFinished(() => over.abort());
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, lane) => {
      for (let n = 0; !over.signal.aborted; n++) {
        const { taskId } = await post(daemon.url, "/api/tasks", { text: `負荷 ${lane}-${n}` });
        acknowledged.push(String(taskId));
        const { approvals } = z
          .object({
            approvals: z.array(z.looseObject({ approvalId: z.string(), version: z.number() })),
          })
          .parse(await (await fetch(`${daemon.url}/api/approvals`)).json());
        const [first] = approvals;
        if (first) {
          const body = { decision: "approve", version: first.version };
          await post(daemon.url, `/api/approvals/${first.approvalId}/decide`, body).catch(
            () => undefined,
          );
        }
      }
    }),
  );
  await until(() => acknowledged.length > 20);

  for (let round = 0; round < rounds({ all: 20, few: 1 }); round++) {
    const before = [...acknowledged];
    const file = join(place.dir, `${round}.backup`);
    expect(await backUp(place, file)).toMatchObject({ code: 0 });
    const to = join(place.dir, `restored-${round}`);
    expect(await command(place, ["restore", file, "--to", to])).toMatchObject({ code: 0 });
    const database = open(to);
    expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
    const ids = database
      .prepare("select id from tasks")
      .all()
      .map(({ id }) => String(id));
    database.close();
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    expect(await command(at(place, to), ["audit", "verify"])).toMatchObject({ code: 0 });
  }
  over.abort();
  await load;
}, 180_000);

test("agents of a backup are lost, not started again, and the daemon they belong to keeps them", async () => {
  const place = aPlace();
  const original = await aBusyDaemon(place);
  const file = join(place.dir, "a.backup");
  await backUp(place, file);
  const to = join(place.dir, "elsewhere");
  await command(place, ["restore", file, "--to", to]);

  const copy = at(place, to);
  const daemon = await aDaemon(copy);

  expect(count(to, "agents where status = 'lost'")).toBeGreaterThanOrEqual(1);
  // The drafter of the unfinished task is started anew; what clients started is not.
  const mine = "role = 'research' and status in ('queued', 'running')";
  expect(count(to, `agents where ${mine}`)).toBe(0);
  expect(count(to, "audit where action = 'data.restored'")).toBe(1);
  expect(existsSync(join(to, "restored.json"))).toBe(false);
  expect(await command(copy, ["audit", "verify"])).toMatchObject({ code: 0 });
  await daemon.kill("SIGTERM");
  const again = await aDaemon(copy);
  expect(count(to, "audit where action = 'data.restored'")).toBe(1);
  await again.kill("SIGTERM");
  expect(count(place.dataDir, "agents where status = 'running'")).toBeGreaterThanOrEqual(1);
  expect((await fetch(`${original.url}/api/health/ready`)).status).toBe(200);
});

test("planned times since the backup start no task again", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  await post(daemon.url, "/api/schedules", {
    text: "毎分の依頼",
    cron: "* * * * *",
    missed: "run-all",
    overlap: "allow",
  });
  await daemon.kill("SIGTERM");
  const database = new DatabaseSync(join(place.dataDir, "kuromajutsu.db"));
  database.exec("update schedules set next_at = next_at - 3600000");
  database.close();
  const file = join(place.dir, "a.backup");
  await backUp(place, file);
  const to = join(place.dir, "elsewhere");
  await command(place, ["restore", file, "--to", to]);

  const copy = await aDaemon(at(place, to));

  await until(() => count(to, "schedule_runs where status = 'skipped_missed'") === 1);
  // A minute may begin meanwhile; the sixty before it start nothing.
  expect(count(to, "tasks")).toBeLessThanOrEqual(1);
  expect(count(to, "schedules where next_at > updated_at")).toBe(1);
  await copy.kill("SIGTERM");
});

test("restore refuses a running daemon, running agents and existing data, and keeps replaced data", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  const daemon = await aBusyDaemon(place);
  const file = join(place.dir, "a.backup");
  await backUp(place, file);

  const running = await command(place, ["restore", file, "--force"]);
  expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining("A daemon runs") });
  await daemon.kill("SIGTERM");
  const agents = await command(place, ["restore", file, "--force"]);
  expect(agents).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\d agents? of .* still runs?/),
  });
  const second = await aDaemon(place);
  await command(place, ["stop", "--stop-agents"]);
  await until(() => second.process.exitCode !== null);
  const full = await command(place, ["restore", file]);
  expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining("has data already") });

  const forced = await command(place, ["restore", file, "--force"]);
  expect(forced).toMatchObject({ code: 0, stdout: expect.stringContaining("is kept in") });
  const kept = readdirSync(place.dir).filter((name) => name.startsWith("data.before-restore-"));
  expect(kept).toHaveLength(1);
  expect(existsSync(join(place.dir, kept[0] ?? "", "kuromajutsu.db"))).toBe(true);
  const third = await aDaemon(place);
  expect((await fetch(`${third.url}/api/health/ready`)).status).toBe(200);
});

test("backup refuses existing files, folders that are missing and its own data directory", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  expect(await backUp(place, "a.backup")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("nothing to save"),
  });
  const daemon = await aDaemon(place);
  await daemon.kill("SIGTERM");

  expect(await backUp(place, "a.backup")).toMatchObject({ code: 0 });
  expect(await backUp(place, "a.backup")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("exists already"),
  });
  expect(await backUp(place, "a.backup", "--force")).toMatchObject({ code: 0 });
  expect(await backUp(place, "no/such/a.backup")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("does not exist"),
  });
  expect(await backUp(place, join(place.dataDir, "a.backup"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("inside the data directory"),
  });
});

test("restore names a backup that does not exist, and replaces what a failed start left behind", async () => {
  const { place, bytes } = await aSmallBackup();
  const target = join(place.dir, "never-started");
  mkdirSync(target);
  writeFileSync(join(target, "daemon.log"), "The configuration has a problem\n");

  const missing = await command(place, ["restore", "no.backup"]);
  writeFileSync(join(place.dir, "b.backup"), bytes);
  const restored = await command(place, ["restore", "b.backup", "--to", target]);

  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no file") });
  expect(restored.code).toBe(0);
  expect(existsSync(join(target, "kuromajutsu.db"))).toBe(true);
});

/** A small backup, and a restore of changed bytes. No test changes it, so the tests share it. */
const aSmallBackup = sharedByTests(async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  const daemon = await aDaemon(place);
  await daemon.kill("SIGTERM");
  const file = join(place.dir, "a.backup");
  await backUp(place, file);
  return {
    place,
    bytes: readFileSync(file),
    restore: async (bytes: Buffer) => {
      const changed = join(place.dir, "changed.backup");
      writeFileSync(changed, bytes);
      const to = join(place.dir, "elsewhere");
      const done = await command(place, ["restore", changed, "--to", to]);
      const left = readdirSync(place.dir).filter((name) => name.startsWith("elsewhere"));
      return { ...done, left };
    },
  };
});

test("a truncated or changed archive is refused, and nothing is left of it", async () => {
  const { bytes, restore } = await aSmallBackup();
  const tar = gunzipSync(bytes);
  const flipped = Buffer.from(tar);
  const place = flipped.indexOf("SQLite format 3") + 200;
  flipped[place] = (flipped[place] ?? 0) ^ 1;

  for (const [what, content] of [
    ["ends too early", bytes.subarray(0, Math.floor(bytes.length / 2))],
    ["ends too early", bytes.subarray(0, bytes.length - 1)],
    ["ends too early", gzipSync(tar.subarray(0, Math.floor(tar.length / 1_024) * 512))],
    ["is not a backup", Buffer.from("hello")],
    ["ends too early", Buffer.alloc(0)],
    ["data/kuromajutsu.db in it is not what was saved", gzipSync(flipped)],
  ] as const) {
    const refused = await restore(content);
    expect(refused).toMatchObject({ code: 1, left: [] });
    expect(refused.stderr).toContain("nothing was changed");
    expect(refused.stderr).toContain(what);
  }
});

test.each([
  "../outside",
  "/tmp/outside",
  "data/../../outside",
  "data//outside",
  "elsewhere/outside",
])("an archive with an entry named %s is refused, and nothing is written", async (path) => {
  const { place, bytes, restore } = await aSmallBackup();
  const content = Buffer.from("evil");
  const evil = Buffer.concat([
    encodeHeader({ path, size: content.length }, 0),
    content,
    Buffer.alloc(paddingOf(content.length)),
  ]);
  const tar = gunzipSync(bytes);
  const info = 512 + Math.ceil(sizeAt(tar) / 512) * 512;

  const refused = await restore(
    gzipSync(Buffer.concat([tar.subarray(0, info), evil, tar.subarray(info)])),
  );

  expect(refused).toMatchObject({ code: 1, left: [] });
  expect(refused.stderr).toContain("an entry that no backup has");
  expect(existsSync(join(place.dir, "outside"))).toBe(false);
  expect(existsSync("/tmp/outside")).toBe(false);
});

const sizeAt = (tar: Buffer): number => Number.parseInt(tar.subarray(124, 135).toString(), 8);

test("a backup of a newer version is refused with a sentence", async () => {
  const { bytes, restore } = await aSmallBackup();
  const tar = gunzipSync(bytes);
  const name = /"(\d{4}-[\w-]+)"/.exec(tar.toString("latin1", 512, 2_048))?.[1] ?? "";
  const newer = Buffer.from(tar.toString("latin1").replace(name, `9999${name.slice(4)}`), "latin1");

  const refused = await restore(gzipSync(newer));

  expect(refused).toMatchObject({ code: 1, left: [] });
  expect(refused.stderr).toContain("saved by a newer Kuromajutsu");
});

test("a restore that is killed at any moment leaves the old data, the new data or a clear message", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  const daemon = await aDaemon(place);
  await post(daemon.url, "/api/tasks", { text: "中断" });
  await command(place, ["stop", "--stop-agents"]);
  await until(() => daemon.process.exitCode !== null);
  const file = join(place.dir, "a.backup");
  await backUp(place, file);
  const took = await timed(() => command(place, ["restore", file, "--force"]));

  const all = rounds({ all: 60, few: 3 });
  for (let round = 0; round < all; round++) {
    const child = run(place, ["restore", file, "--force"]);
    const ended = new Promise((resolve) => child.once("close", resolve));
    await new Promise((resolve) => setTimeout(resolve, (took * (round + 1)) / all));
    child.kill("SIGKILL");
    await ended;
    expect(await command(place, ["audit", "verify"])).toMatchObject({ code: 0 });
    expect(count(place.dataDir, "tasks")).toBe(1);
  }
  expect(await command(place, ["restore", file, "--force"])).toMatchObject({ code: 0 });
  expect(readdirSync(place.dir).filter((name) => name.includes(".restoring-"))).toEqual([]);
});

test("a backup that is killed leaves no file of that name, and the next one cleans up", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  await daemon.kill("SIGTERM");
  const took = await timed(() => backUp(place, "first.backup"));

  const all = rounds({ all: 40, few: 3 });
  for (let round = 0; round < all; round++) {
    const child = run(place, ["backup", "a.backup", "--force"]);
    const ended = new Promise((resolve) => child.once("close", resolve));
    await new Promise((resolve) => setTimeout(resolve, (took * (round + 1)) / all));
    child.kill("SIGKILL");
    await ended;
    const file = join(place.dir, "a.backup");
    const found = existsSync(file) ? readFileSync(file) : gzipSync("");
    expect(spawnSync("gzip", ["-t"], { input: found }).status).toBe(0);
  }
  expect(await backUp(place, "a.backup", "--force")).toMatchObject({ code: 0 });
  expect(readdirSync(place.dir).filter((name) => name.startsWith(".kuromajutsu-backup"))).toEqual(
    [],
  );
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

test("a disk without enough space is refused before anything is written", async (context) => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  const daemon = await aDaemon(place);
  await daemon.kill("SIGTERM");
  const disk = join(place.dir, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=200k", "tmpfs", disk]);
  if (mounted.status !== 0) return context.skip("mount needs root");
  onTestFinished(() => void spawnSync("umount", [disk]));
  await backUp(place, "a.backup");

  const made = await backUp(place, join(disk, "a.backup"));
  expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining("too little space") });
  const to = join(disk, "data");
  const restored = await command(place, ["restore", "a.backup", "--to", to]);
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining("too little space") });
  expect(readdirSync(disk)).toEqual([]);
});

test("links in the data directory are named instead of followed", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  const daemon = await aDaemon(place);
  await daemon.kill("SIGTERM");
  spawnSync("ln", ["-s", "/etc/passwd", join(place.dataDir, "link")]);
  chmodSync(place.dataDir, 0o700);

  const made = await backUp(place, "a.backup");

  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("link") });
  const listed = spawnSync("tar", ["-tzf", join(place.dir, "a.backup")], { encoding: "utf8" });
  expect(listed.stdout).not.toContain("link");
});
