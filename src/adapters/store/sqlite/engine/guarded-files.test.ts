import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { aGroup } from "../../../../../test/kit/builders.ts";
import { aTempDir } from "../../../../../test/kit/tmp-dir.ts";
import { openSqliteStore } from "../sqlite-store.ts";

const IDS = ["grp-1", "grp-2", "grp-3"] as const;

async function aStore() {
  const directory = join(aTempDir(), "data");
  mkdirSync(directory);
  const path = join(directory, "a.db");
  const lost: string[] = [];
  const store = await openSqliteStore({ path, onLost: (message) => lost.push(message) });
  onTestFinished(() => store.close());
  const write = (id: `grp-${string}`) =>
    store.transaction((unit) => unit.insertGroup(aGroup({ id })));
  for (const id of IDS) await write(id);
  return { store, path, write, lost };
}

/** Reads what a daemon finds after this one was killed: only what is in the file. */
async function expectAllIn(path: string): Promise<void> {
  const copy = join(aTempDir(), "copy.db");
  copyFileSync(path, copy);
  const store = await openSqliteStore({ path: copy });
  for (const id of IDS) expect(await store.getGroup(id)).toHaveProperty("id", id);
  await store.close();
}

test.each([
  ["-wal", "deleted", (file: string) => rmSync(file)],
  ["-shm", "deleted", (file: string) => rmSync(file)],
  ["-wal", "renamed", (file: string) => renameSync(file, `${file}.old`)],
  ["-wal", "replaced", replace],
  ["-shm", "replaced", replace],
])(
  "a log file (%s) that is %s stops all writes, and no acknowledged write is lost",
  async (ending, _, damage) => {
    const { store, path, write, lost } = await aStore();

    damage(`${path}${ending}`);

    await expect(write("grp-4")).rejects.toMatchObject({ code: "STORE_LOST" });
    await expect(write("grp-5")).rejects.toMatchObject({ code: "STORE_LOST" });
    expect(lost).toEqual([expect.stringContaining("nothing is lost")]);
    await expectAllIn(path);
    await store.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    await expectAllIn(path);
  },
);

function replace(file: string): void {
  writeFileSync(`${file}.new`, "another program's");
  renameSync(`${file}.new`, file);
}

test("a log that is replaced is moved aside, so that the next start does not apply it", async () => {
  const { path, write, lost } = await aStore();

  replace(`${path}-wal`);
  await expect(write("grp-4")).rejects.toMatchObject({ code: "STORE_LOST" });

  const found = readdirSync(dirname(path)).find((name) => name.startsWith("a.db-wal.found-"));
  expect(lost[0]).toContain(found ?? "no file");
});

test("a log that is deleted during a transaction is saved before the commit is acknowledged", async () => {
  const { store, path, write } = await aStore();

  await store.transaction(async (unit) => {
    await unit.insertGroup(aGroup({ id: "grp-last" }));
    rmSync(`${path}-wal`);
  });

  const copy = join(aTempDir(), "copy.db");
  copyFileSync(path, copy);
  const later = await openSqliteStore({ path: copy });
  expect(await later.getGroup("grp-last")).toBeDefined();
  await later.close();
  await expect(write("grp-4")).rejects.toMatchObject({ code: "STORE_LOST" });
});

test.each([0, 100])(
  "a log truncated to %d bytes is not written into the database",
  async (bytes) => {
    const { store, path, write, lost } = await aStore();
    const before = statSync(path);

    truncateSync(`${path}-wal`, bytes);

    await expect(write("grp-4")).rejects.toMatchObject({ code: "STORE_LOST" });
    expect(lost).toEqual([expect.stringContaining("truncated")]);
    await store.close();
    expect(statSync(path)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs });
  },
);

test("a log that another program has emptied after a checkpoint is no damage", async () => {
  const { store, path, write, lost } = await aStore();
  await write("grp-seen");

  const other = new DatabaseSync(path);
  expect(other.prepare("pragma wal_checkpoint(truncate)").get()).toMatchObject({ busy: 0 });
  other.close();

  expect(statSync(`${path}-wal`).size).toBe(0);
  await write("grp-4");
  expect(await store.getGroup("grp-4")).toBeDefined();
  expect(lost).toEqual([]);
});

test("a database that is deleted is copied whole, and its log is moved aside", async () => {
  const { store, path, write, lost } = await aStore();

  rmSync(path);

  await expect(write("grp-4")).rejects.toMatchObject({ code: "STORE_LOST" });
  const name = readdirSync(dirname(path)).find((each) => each.startsWith("a.db.rescued-"));
  const copy = join(dirname(path), name ?? "none");
  expect(lost[0]).toContain(copy);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  await expectAllIn(copy);
  await store.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  const log = readdirSync(dirname(path)).find((each) => each.startsWith("a.db-wal.replaced-"));
  expect(lost[0]).toContain(log ?? "no log");
});

test("the log of a replaced database is not applied to the backup in its place", async () => {
  const { store, path, write } = await aStore();
  const backup = join(dirname(path), "backup.db");
  const other = new DatabaseSync(path);
  expect(other.prepare("pragma wal_checkpoint(truncate)").get()).toMatchObject({ busy: 0 });
  copyFileSync(path, backup);
  other.close();
  for (const id of ["grp-5", "grp-6"] as const) await write(id);

  renameSync(backup, path);
  await expect(write("grp-7")).rejects.toMatchObject({ code: "STORE_LOST" });
  await store.close();

  const restored = await openSqliteStore({ path });
  for (const id of IDS) expect(await restored.getGroup(id)).toBeDefined();
  expect(await restored.getGroup("grp-5")).toBeUndefined();
  await restored.close();
  const check = new DatabaseSync(path);
  expect(check.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  check.close();
});

test("a database that was only renamed is complete without its log", async () => {
  const { path, write } = await aStore();
  renameSync(path, `${path}.old`);
  await expect(write("grp-4")).rejects.toMatchObject({ code: "STORE_LOST" });
  await expectAllIn(`${path}.old`);
});

test("a restored copy put in the place of the database is not touched", async () => {
  const { store, path, write } = await aStore();
  for (const ending of ["", "-wal", "-shm"]) {
    writeFileSync(`${path}${ending}.new`, `restored${ending}`);
    renameSync(`${path}${ending}.new`, `${path}${ending}`);
  }

  await expect(write("grp-4")).rejects.toMatchObject({ code: "STORE_LOST" });
  await store.close();

  for (const ending of ["", "-wal", "-shm"]) {
    expect(statSync(`${path}${ending}`).size).toBe(`restored${ending}`.length);
  }
});

test("renaming the directory stops all writes and keeps everything in it", async () => {
  const { store, path, write, lost } = await aStore();
  const moved = `${dirname(path)}-moved`;

  renameSync(dirname(path), moved);

  await expect(write("grp-4")).rejects.toMatchObject({ code: "STORE_LOST" });
  expect(lost).toEqual([expect.stringContaining("moved")]);
  await store.close();
  await expectAllIn(join(moved, "a.db"));
});
