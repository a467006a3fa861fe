import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { storeContract } from "../../../../test/contract/store-contract.ts";
import { anEvent } from "../../../../test/contract/store/kit.ts";
import { aGroup, anAgent } from "../../../../test/kit/builders.ts";
import { rounds } from "../../../../test/kit/rounds.ts";
import { aSqliteStore } from "../../../../test/kit/sqlite-store.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { openStore } from "../open-store.ts";

storeContract("SQLite", aSqliteStore);

const KILLS = rounds({ all: 10, few: 2 });

test(`acknowledged writes survive ${KILLS} kill -9 during writes`, async () => {
  const dataDir = aTempDir();
  const acknowledged: string[] = [];

  for (let round = 0; round < KILLS; round += 1) {
    const written = await writeUntilKilled(dataDir, round, 20 + round * 7);
    expect(written.length).toBeGreaterThanOrEqual(20 + round * 7);
    acknowledged.push(...written);
  }

  const store = await openStore({ dataDir });
  const events = await store.listEvents(0, 1_000_000);
  const stored = new Set(events.map(({ agentId }) => agentId));
  expect(acknowledged.filter((id) => !stored.has(anAgent({ id: `w-${id}-x` }).id))).toEqual([]);
  // The row, its event and its count are one commit: none exists without the others.
  expect((await store.listAgents({ limit: 1 })).total).toBe(events.length);
  expect(await store.getAgents(events.map(({ agentId }) => agentId ?? ""))).toHaveLength(
    events.length,
  );
  await store.close();
  expect(integrityOf(join(dataDir, "kuromajutsu.db"))).toBe("ok");
});

test("concurrent transactions share one commit; a later one has its own", async () => {
  const dataDir = aTempDir();
  const store = await openStore({ dataDir });
  const append = () => store.transaction((unit) => unit.emit(anEvent()));
  const log = join(dataDir, "kuromajutsu.db-wal");
  const before = commitsIn(log);

  await Promise.all(Array.from({ length: 30 }, append));
  expect(commitsIn(log) - before).toBe(1);
  await append();
  await append();
  expect(commitsIn(log) - before).toBe(3);
  await store.close();
});

test("an event cannot be rewritten, only deleted", async () => {
  const dataDir = aTempDir();
  const store = await openStore({ dataDir });
  await store.transaction((unit) => unit.emit(anEvent()));
  await store.close();
  const database = new DatabaseSync(join(dataDir, "kuromajutsu.db"));

  expect(() => database.exec("update events set type = 'b'")).toThrow("append-only");
  expect(database.prepare("delete from events").run().changes).toBe(1);
  database.close();
});

test("the audit can be neither rewritten nor deleted", async () => {
  const dataDir = aTempDir();
  const store = await openStore({ dataDir });
  await store.transaction((unit) =>
    unit.appendAudit({ at: 1, actor: "a", action: "b", subject: "c", data: {} }),
  );
  await store.close();
  const database = new DatabaseSync(join(dataDir, "kuromajutsu.db"));

  expect(() => database.exec("update audit set actor = 'x'")).toThrow("append-only");
  expect(() => database.exec("delete from audit")).toThrow("append-only");
  database.close();
});

test("counts follow agents that are deleted or moved", async () => {
  const dataDir = aTempDir();
  const store = await openStore({ dataDir });
  await store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertGroup(aGroup({ id: "grp-2" }));
    await unit.insertAgent(anAgent({ id: "a-1-x" }), "");
    await unit.insertAgent(anAgent({ id: "a-2-x" }), "");
    await unit.insertAgent(anAgent({ id: "a-3-x" }), "");
    await unit.putProgress("a-3-x", await unit.getProgress("a-3-x"));
  });
  const database = new DatabaseSync(join(dataDir, "kuromajutsu.db"));
  database.exec("update agents set group_id = 'grp-2' where id = 'a-2-x'");
  database.exec("delete from agents where id = 'a-3-x'");
  database.close();

  const total = async (groupId?: string) =>
    (await store.listAgents({ limit: 10, ...(groupId && { groupId }) })).total;
  expect([await total(), await total(aGroup().id), await total("grp-2")]).toEqual([2, 1, 1]);
  await store.close();
});

/** Writes agents with their events in another process, which prints the committed ones; kills it. */
async function writeUntilKilled(dataDir: string, round: number, after: number): Promise<string[]> {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", WRITER, dataDir, `${round}`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    if (said.split("\n").length > after) child.kill("SIGKILL");
  });
  await once(child, "close");
  expect(child.signalCode).toBe("SIGKILL");
  return said.split("\n").slice(0, -1);
}

const WRITER = `
  import { writeSync } from "node:fs";
  import { openStore } from ${JSON.stringify(new URL("../open-store.ts", import.meta.url))};
  const [dataDir, round] = process.argv.slice(1);
  const [group, agent] = [${JSON.stringify(aGroup())}, ${JSON.stringify(anAgent())}];
  const event = ${JSON.stringify(anEvent())};
  const store = await openStore({ dataDir });
  await store.transaction((unit) => unit.insertGroup(group));
  for (let n = 0; ; n += 1) {
    const id = "w-" + round + "." + n + "-x";
    await store.transaction(async (unit) => {
      await unit.insertAgent({ ...agent, id }, "prompt");
      await unit.emit({ ...event, agentId: id });
    });
    writeSync(1, round + "." + n + "\\n");
  }
`;

/** Only the last page of a commit contains the new size of the database. */
function commitsIn(log: string): number {
  const bytes = readFileSync(log);
  const [header, frameHeader] = [32, 24];
  const frame = frameHeader + bytes.readUInt32BE(8);
  let commits = 0;
  for (let at = header; at + frame <= bytes.length; at += frame) {
    if (bytes.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

function integrityOf(path: string): unknown {
  const database = new DatabaseSync(path);
  try {
    return database.prepare("pragma integrity_check").get()?.["integrity_check"];
  } finally {
    database.close();
  }
}
