import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { anEvent } from "../../../test/contract/store/kit.ts";
import { aGroup, anAgent } from "../../../test/kit/builders.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import type { Store } from "../../app/ports/store.ts";
import { Refusal } from "../../domain/refusal.ts";
import { openStore } from "./open-store.ts";
import { openSqliteStore } from "./sqlite/sqlite-store.ts";

const isRoot = process.getuid?.() === 0;

test("the data directory and every file in it are private", async () => {
  const dataDir = join(aTempDir(), "deep", "data");

  const store = await openStore({ dataDir });
  await store.transaction((unit) => unit.insertGroup(aGroup()));

  expect(modeOf(dataDir)).toBe("700");
  expect(readdirSync(dataDir).length).toBeGreaterThanOrEqual(3);
  for (const file of readdirSync(dataDir)) expect(modeOf(join(dataDir, file))).toBe("600");
  await store.close();
});

test("a database that is readable by others is made private", async () => {
  const dataDir = aTempDir();
  await (await openStore({ dataDir })).close();
  chmodSync(join(dataDir, "kuromajutsu.db"), 0o644);

  await (await openStore({ dataDir })).close();

  expect(modeOf(join(dataDir, "kuromajutsu.db"))).toBe("600");
});

test("a full database rolls back writes, can still be read, and accepts writes once there is space", async () => {
  const path = join(aTempDir(), "a.db");
  const small = await openSqliteStore({ path, maxPages: 200 });
  const written = await fill(small);

  const attempt = small.transaction(async (unit) => {
    await unit.emit(anEvent());
    await unit.insertAgent(anAgent({ id: "too-much-x" }), "x".repeat(1_000_000));
  });

  await expect(attempt).rejects.toMatchObject({ name: "Refusal", code: "STORE_FULL" });
  await expect(attempt).rejects.toThrow(path);
  expect(await small.lastEventSeq()).toBe(0);
  expect((await small.listAgents({ limit: 1 })).total).toBe(written);
  await small.close();
  const larger = await openSqliteStore({ path });
  expect(await fill(larger, 5)).toBe(5);
  expect((await larger.listAgents({ limit: 1 })).total).toBe(written + 5);
  await larger.close();
});

test("checkWritable commits, and is refused after another program has deleted the database", async () => {
  const path = join(aTempDir(), "a.db");
  const lost: string[] = [];
  const store = await openSqliteStore({ path, onLost: (message) => void lost.push(message) });
  const logged = statSync(`${path}-wal`).size;

  await store.checkWritable();
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(logged);
  rmSync(path);
  await expect(store.checkWritable()).rejects.toThrow("deleted, replaced or truncated");
  expect(lost).toHaveLength(1);
  await store.close();
});

test("a transaction that catches a disk-full error cannot commit its other writes", async () => {
  const store = await openSqliteStore({ path: join(aTempDir(), "a.db"), maxPages: 200 });
  await fill(store);

  const attempt = store.transaction(async (unit) => {
    await unit.insertAgent(anAgent({ id: "too-much-x" }), "x".repeat(1_000_000)).catch(() => 0);
    await unit.emit(anEvent());
  });

  await expect(attempt).rejects.toMatchObject({ code: "STORE_FULL" });
  expect(await store.lastEventSeq()).toBe(0);
  expect(await store.getAgent("too-much-x")).toBeUndefined();
  await store.close();
});

test("when the disk fills up under concurrent transactions, exactly the acknowledged ones are stored", async () => {
  const store = await openSqliteStore({ path: join(aTempDir(), "a.db"), maxPages: 260 });
  await store.transaction((unit) => unit.insertGroup(aGroup()));
  const ids = Array.from({ length: 40 }, (_, n) => `a-${n}-x` as const);
  const prompts = ids.map((_, n) => "x".repeat(n % 5 === 4 ? 400_000 : 2_000));

  const outcomes = await Promise.allSettled(
    ids.map((id, n) =>
      store.transaction((unit) => unit.insertAgent(anAgent({ id }), prompts[n] ?? "")),
    ),
  );

  const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(refused.length).toBeGreaterThan(0);
  for (const reason of refused) expect(reason).toMatchObject({ code: "STORE_FULL" });
  const acknowledged = ids.filter((_, n) => outcomes[n]?.status === "fulfilled");
  expect((await store.getAgents(ids)).map(({ id }) => id)).toEqual(acknowledged);
  await store.transaction((unit) => unit.insertAgent(anAgent({ id: "small-1-x" }), "fits"));
  expect(await store.getAgent("small-1-x")).toBeDefined();
  await store.close();
});

test("an error that is based on rolled-back rows is replaced by STORE_FULL", async () => {
  const store = await openSqliteStore({ path: join(aTempDir(), "a.db"), maxPages: 260 });
  await store.transaction((unit) => unit.insertGroup(aGroup()));
  const id = "a-1-x";
  const insert = (prompt: string, taken: string) =>
    store.transaction(async (unit) => {
      if (!(await unit.insertAgent(anAgent({ id }), prompt))) throw new Error(taken);
    });
  const tooMuch = () =>
    store.transaction(async (unit) => {
      try {
        await unit.insertAgent(anAgent({ id: "large-1-x" }), "x".repeat(4_000_000));
      } catch {
        throw new Error("its own error");
      }
    });

  const outcomes = await Promise.allSettled([
    insert("first", ""),
    insert("second", "taken"),
    tooMuch(),
  ]);

  const codes = outcomes.map((each) => each.status === "rejected" && each.reason.code);
  expect(codes).toEqual(["STORE_FULL", "STORE_FULL", "STORE_FULL"]);
  expect(await store.getAgent(id)).toBeUndefined();
  await store.close();
});

test("a failed transaction whose pending write fills the disk is rejected with STORE_FULL", async () => {
  const store = await openSqliteStore({ path: join(aTempDir(), "a.db"), maxPages: 260 });
  await store.transaction((unit) => unit.insertGroup(aGroup()));

  const outcomes = await Promise.allSettled([
    store.transaction((unit) => unit.insertAgent(anAgent({ id: "a-1-x" }), "fits")),
    store.transaction(async (unit) => {
      const large = unit.insertAgent(anAgent({ id: "large-1-x" }), "x".repeat(4_000_000));
      large.catch(() => undefined);
      throw new Refusal("AGENT_NOT_FOUND", {
        en: ["its own error", ""],
        ja: ["its own error", ""],
      });
    }),
  ]);

  const codes = outcomes.map((each) => each.status === "rejected" && each.reason.code);
  expect(codes).toEqual(["STORE_FULL", "STORE_FULL"]);
  expect(await store.getAgent("a-1-x")).toBeUndefined();
  await store.close();
});

test("on a real disk of 2 MB that fills up, no acknowledged write is lost and the store recovers", async (context) => {
  const disk = aTempDir();
  if (!isRoot || process.platform !== "linux") context.skip("mounting needs root on Linux");
  try {
    run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk);
  } catch (error) {
    context.skip(`this machine does not let us mount: ${String(error)}`);
  }
  onTestFinished(() => run("umount", "--lazy", disk));
  const ballast = join(disk, "ballast");
  writeFileSync(ballast, Buffer.alloc(500_000));
  const store = await openStore({ dataDir: join(disk, "data") });
  onTestFinished(() => store.close());

  const written = await fill(store);
  expect((await store.listAgents({ limit: 1 })).total).toBe(written);
  rmSync(ballast);
  const more = await fill(store, 5);

  expect(more).toBe(5);
  expect((await store.listAgents({ limit: 1 })).total).toBe(written + 5);
  await store.close();
  const again = await openStore({ dataDir: join(disk, "data") });
  expect((await again.listAgents({ limit: 1 })).total).toBe(written + 5);
  await again.close();
});

test("opening a store in a directory that is not writable is refused with its path", async () => {
  const dataDir = anUnwritableDirectory();

  const attempt = openStore({ dataDir });

  await expect(attempt).rejects.toMatchObject({
    name: "Refusal",
    code: "STORE_READ_ONLY",
    hint: expect.stringContaining(dataDir),
  });
});

test("a file that is no database is not changed, and the error has advice", async () => {
  const dataDir = aTempDir();
  const path = join(dataDir, "kuromajutsu.db");
  writeFileSync(path, "not a database at all, ".repeat(500));

  const attempt = openStore({ dataDir });

  await expect(attempt).rejects.toThrow(/is damaged or is no database of ours.*Move it away/);
  await expect(attempt).rejects.toThrow(path);
  expect(statSync(path).size).toBe(23 * 500);
});

test("a database with an overwritten page is reported as damaged", async () => {
  const dataDir = aTempDir();
  const path = join(dataDir, "kuromajutsu.db");
  await (await openStore({ dataDir })).close();
  const size = statSync(path).size;
  const damaged = Buffer.concat([
    Buffer.from("SQLite format 3\0"),
    Buffer.alloc(84, 0xff),
    Buffer.alloc(size - 100, 0xee),
  ]);
  writeFileSync(path, damaged);

  await expect(openStore({ dataDir })).rejects.toThrow("is damaged");
});

test.each([
  ["missing", (path: string) => rmSync(path)],
  ["empty", (path: string) => writeFileSync(path, "")],
])(
  "a database that is %s is not created anew while a rescued copy of it exists",
  async (_, lose) => {
    const dataDir = aTempDir();
    const path = join(dataDir, "kuromajutsu.db");
    const copy = `${path}.rescued-1700000000000`;
    await (await openStore({ dataDir })).close();
    copyFileSync(path, copy);
    lose(path);
    const before = readdirSync(dataDir);

    await expect(openStore({ dataDir })).rejects.toThrow(copy);
    await expect(openStore({ dataDir })).rejects.toThrow("To begin with an empty database");
    expect(readdirSync(dataDir)).toEqual(before);

    renameSync(copy, join(aTempDir(), "elsewhere"));
    await (await openStore({ dataDir })).close();
  },
);

test("a restored database is opened although a rescued copy is beside it", async () => {
  const dataDir = aTempDir();
  await (await openStore({ dataDir })).close();
  writeFileSync(join(dataDir, "kuromajutsu.db.rescued-1700000000000"), "an old copy");

  const store = await openStore({ dataDir });

  expect(await store.lastEventSeq()).toBe(0);
  await store.close();
});

/** Root may write everywhere, so for root the path is inside a file, which always fails. */
function anUnwritableDirectory(): string {
  const parent = join(aTempDir(), "parent");
  if (isRoot) writeFileSync(parent, "");
  else mkdirSync(parent, { mode: 0o500 });
  return join(parent, "data");
}

/** Writes agents until the disk is full, at most `limit`; returns how many were acknowledged. */
async function fill(store: Store, limit = 10_000): Promise<number> {
  const start = (await store.listAgents({ limit: 1 })).total;
  for (let n = 0; n < limit; n += 1) {
    try {
      await store.transaction(async (unit) => {
        await unit.insertGroup(aGroup());
        await unit.insertAgent(anAgent({ id: `fill-${start + n}-x` }), "x".repeat(5_000));
      });
    } catch (error) {
      if (error instanceof Refusal && error.code === "STORE_FULL") return n;
      throw error;
    }
  }
  return limit;
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: "pipe" });
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
