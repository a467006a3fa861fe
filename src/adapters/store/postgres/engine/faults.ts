import { errorCode } from "../../../../base/error-code.ts";
import { Refusal } from "../../../../domain/refusal.ts";

/** Error classes and codes of PostgreSQL, and codes of the network. */
const FULL = new Set(["53100"]);
const READ_ONLY = new Set(["25006"]);
const UNAVAILABLE =
  /^(?:08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const LOST =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|server closed/;

/** Turns faults of the database into refusals, which never contain the connection string. */
export function throwFault(error: unknown): never {
  throw toPostgresFault(error);
}

function toPostgresFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error;
  const code = errorCode(error) ?? "";
  if (FULL.has(code)) {
    return new Refusal("STORE_FULL", {
      en: [
        "PostgreSQL has no space left; nothing was written.",
        "Free some space on the disk of the database, then try again. Reading still works.",
      ],
      ja: [
        "PostgreSQL の空き容量がありません。何も書き込んでいません。",
        "データベースのディスクに空きを作ってから、もう一度試してください。読み取りはできます。",
      ],
    });
  }
  if (READ_ONLY.has(code)) {
    return new Refusal("STORE_READ_ONLY", {
      en: [
        "PostgreSQL is read-only here; nothing was written.",
        "Let store.url name the primary server, not a replica.",
      ],
      ja: [
        "この PostgreSQL は読み取り専用です。何も書き込んでいません。",
        "store.url にはレプリカではなくプライマリのサーバーを指定してください。",
      ],
    });
  }
  if (UNAVAILABLE.test(code) || LOST.test(error.message)) {
    return new Refusal("STORE_UNAVAILABLE", {
      en: [
        `PostgreSQL does not answer (${reasonOf(error)}).`,
        "Try again in a moment. If it persists, check that the database of store.url runs and can be reached.",
      ],
      ja: [
        `PostgreSQL が応答しません（${reasonOf(error)}）。`,
        "少し待ってから、もう一度試してください。続くときは、store.url のデータベースが動いていて接続できるか確認してください。",
      ],
    });
  }
  return error;
}

function reasonOf(error: Error): string {
  return errorCode(error) ?? error.message;
}
