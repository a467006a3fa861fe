import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { systemTokens } from "../../../src/adapters/world.ts";
import { verifyAudit } from "../../../src/app/people/verify-audit.ts";
import { createLineSplitter } from "../../../src/base/lines.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { rowsOf } from "../../kit/postgres/servers.ts";
import { rounds } from "../../kit/rounds.ts";

const WRITER = fileURLToPath(new URL("../../kit/postgres/audit-writer.ts", import.meta.url));
const PROCESSES = 4;
const WRITERS_EACH = 4;
const KILLS = rounds({ all: 100, few: 4 });

/** A process that writes until it is killed; `committed` are the entries it knows to be stored. */
function aWriter(url: string, name: string) {
  const child = spawn(process.execPath, [WRITER, url, name, String(WRITERS_EACH)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(() => void child.kill("SIGKILL"));
  const committed: string[] = [];
  const lines = createLineSplitter((line) => committed.push(line));
  child.stdout.on("data", lines.push);
  return {
    committed,
    async kill9() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

test("the audit of 16 writers in 4 processes, killed with kill -9 at any moment, is whole and has every entry that was committed", async () => {
  const url = await aMigratedUrl();
  let started = 0;
  const start = () => aWriter(url, `writer ${started++}`);
  const writers = Array.from({ length: PROCESSES }, start);
  const committed: string[] = [];

  for (let kill = 0; kill < KILLS; kill++) {
    const at = kill % PROCESSES;
    const writer = writers[at];
    if (!writer) throw new Error("no writer");
    await until(() => writer.committed.length > 0);
    await sleep(Math.random() * 200);
    await writer.kill9();
    committed.push(...writer.committed);
    writers[at] = start();
  }
  for (const writer of writers) {
    await writer.kill9();
    committed.push(...writer.committed);
  }

  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const verified = await verifyAudit({ store, tokens: systemTokens });
  expect(verified).toMatchObject({ ok: true });
  const subjects = (await rowsOf(url, "select subject from audit")).map((row) =>
    String(row["subject"]),
  );
  const stored = new Set(subjects);
  expect(subjects.length).toBe(stored.size);
  expect(committed.filter((subject) => !stored.has(subject))).toEqual([]);
  expect(committed.length).toBeGreaterThan(KILLS);
});
