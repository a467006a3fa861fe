import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { dataDirFor, findConfigFile, socketPathFor } from "../adapters/config/locate.ts";
import { acquireLock } from "../adapters/store/lock.ts";
import { openStore } from "../adapters/store/open-store.ts";
import { systemTokens } from "../adapters/world.ts";
import { verifyAudit, type AuditVerified } from "../app/verify-audit.ts";
import { createApi } from "../doors/terminal/api.ts";
import { askDaemon } from "./ask-daemon.ts";

const answerShape = z.object({
  ok: z.boolean(),
  entries: z.number(),
  firstBroken: z.object({ seq: z.number(), why: z.string() }).exactOptional(),
});

/** `audit verify`. Exit code 0: the chain is whole; 1: it is not. */
export async function runAuditVerify(asJson: boolean): Promise<number> {
  const dataDir = dataDirFor(findConfigFile(process.cwd(), process.env)?.path, process.env);
  const verified = (await askRunning(dataDir)) ?? (await lookAlone(dataDir));
  process.stdout.write(asJson ? `${JSON.stringify(verified)}\n` : `${sentence(verified)}\n`);
  return verified.ok ? 0 : 1;
}

/** Only the daemon opens its database: while one runs it is asked. */
async function askRunning(dataDir: string): Promise<AuditVerified | undefined> {
  const named = process.env["KUROMAJUTSU_SOCKET"];
  const socketPath = named || socketPathFor(dataDir, process.env);
  const status = await askDaemon({ socketPath, dataDir }, "status");
  if (!status) return undefined;
  if (status.url === null) throw new Error("The daemon has no HTTP address yet; try again.");
  const api = createApi(status.url, process.env["KUROMAJUTSU_TOKEN"] || undefined);
  return api.get("/api/audit/verify", answerShape);
}

async function lookAlone(dataDir: string): Promise<AuditVerified> {
  if (!existsSync(join(dataDir, "kuromajutsu.db"))) return { ok: true, entries: 0 };
  const lock = acquireLock(dataDir);
  if (!lock) throw new Error("A daemon is just starting or stopping; try again.");
  try {
    const store = await openStore({ dataDir });
    try {
      return await verifyAudit({ store, tokens: systemTokens });
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}

function sentence({ entries, firstBroken }: AuditVerified): string {
  if (firstBroken) return `The audit is broken at entry ${firstBroken.seq}. ${firstBroken.why}`;
  if (entries === 0) return "The audit has no entries yet.";
  return `The audit is whole: ${entries} entries, each continuing the one before.`;
}
