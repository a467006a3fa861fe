import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { dataDirFor, findConfigFile, socketPathFor } from "../adapters/config/locate.ts";
import { createLog } from "../adapters/log.ts";
import { openAuditAnchor, type FileAuditAnchor } from "../adapters/store/audit-anchor.ts";
import { acquireLock } from "../adapters/store/lock.ts";
import { openStore } from "../adapters/store/open-store.ts";
import { systemTokens } from "../adapters/world.ts";
import { verifyAudit, type AuditVerified } from "../app/people/verify-audit.ts";
import type { Store } from "../app/ports/store.ts";
import { createApi } from "../doors/cli/terminal/api.ts";
import { askDaemon } from "./client/ask-daemon.ts";

const answerShape = z.object({
  ok: z.boolean(),
  entries: z.number(),
  anchoredUntil: z.number().exactOptional(),
  firstBroken: z.object({ seq: z.number(), why: z.string() }).exactOptional(),
});

/** `audit verify`. Exit code 0: the chain is whole; 1: it is not. */
export async function runAuditVerify(asJson: boolean): Promise<number> {
  const dataDir = dataDirHere();
  const verified = (await askRunning(dataDir)) ?? (await lookAlone(dataDir));
  process.stdout.write(asJson ? `${JSON.stringify(verified)}\n` : `${sentence(verified)}\n`);
  return verified.ok ? 0 : 1;
}

/**
 * `audit anchor`: the audit as it is now becomes what later checks compare with. For a person who
 * has looked at why the head is missing or does not fit, such as a restored backup.
 */
export async function runAuditAnchor(): Promise<number> {
  const dataDir = dataDirHere();
  if (await daemonStatus(dataDir)) {
    throw new Error("A daemon is running. Stop it (`kuromajutsu stop`), then try again.");
  }
  const anchored = await alone(dataDir, async (store) => {
    const chain = await verifyAudit({ store, tokens: systemTokens });
    if (chain.ok) await anchorOf(dataDir, store).renew();
    return chain;
  });
  process.stdout.write(
    anchored.ok ? "The audit is anchored as it is now.\n" : `${sentence(anchored)}\n`,
  );
  return anchored.ok ? 0 : 1;
}

/** Only the daemon opens its database: while one runs it is asked. */
async function askRunning(dataDir: string): Promise<AuditVerified | undefined> {
  const status = await daemonStatus(dataDir);
  if (!status) return undefined;
  if (status.url === null) throw new Error("The daemon has no HTTP address yet; try again.");
  const api = createApi(status.url, process.env["KUROMAJUTSU_TOKEN"] || undefined);
  return api.get("/api/audit/verify", answerShape);
}

async function lookAlone(dataDir: string): Promise<AuditVerified> {
  if (!existsSync(join(dataDir, "kuromajutsu.db"))) return { ok: true, entries: 0 };
  return alone(dataDir, (store) =>
    verifyAudit({ store, tokens: systemTokens, auditAnchor: anchorOf(dataDir, store) }),
  );
}

/** With the database to itself. */
async function alone<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const lock = acquireLock(dataDir);
  if (!lock) throw new Error("A daemon is just starting or stopping; try again.");
  try {
    const store = await openStore({ dataDir });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}

function anchorOf(dataDir: string, store: Store): FileAuditAnchor {
  const keyFile = process.env["KUROMAJUTSU_AUDIT_KEY_FILE"];
  const log = createLog("warn", (line) => void process.stderr.write(line));
  return openAuditAnchor({ dataDir, keyFile, log, store, mayCreate: false });
}

function dataDirHere(): string {
  return dataDirFor(findConfigFile(process.cwd(), process.env)?.path, process.env);
}

function daemonStatus(dataDir: string) {
  const socketPath = process.env["KUROMAJUTSU_SOCKET"] || socketPathFor(dataDir, process.env);
  return askDaemon({ socketPath, dataDir }, "status");
}

function sentence({ entries, anchoredUntil, firstBroken }: AuditVerified): string {
  if (firstBroken) return `The audit is broken at entry ${firstBroken.seq}. ${firstBroken.why}`;
  if (entries === 0) return "The audit has no entries yet.";
  const head =
    anchoredUntil === undefined
      ? "It has no head yet (a daemon writes it), so a chain rewritten as a whole would not be noticed."
      : `The sealed head fits up to entry ${anchoredUntil}.`;
  return `The audit is whole: ${entries} entries, each continuing the one before. ${head}`;
}
