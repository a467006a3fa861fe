import type { AnchorState, AuditAnchor, AuditHead } from "../../app/ports/audit-anchor.ts";
import type { Store } from "../../app/ports/store.ts";
import type { Log } from "../../app/ports/world.ts";
import { FIRST_HASH } from "../../domain/people/audit.ts";
import {
  auditFilesOf,
  draftKey,
  hasHead,
  keepKey,
  readDraftKey,
  readHead,
  readKey,
  writeHead,
} from "./audit-files.ts";

/** Many commits are written down together: a head costs a way to the disk. */
const COALESCE_MS = 1_000;

export type OpenAuditAnchor = {
  readonly dataDir: string;
  /** Where the key is; left out: beside the database. */
  readonly keyFile?: string | undefined;
  readonly log: Log;
  readonly store: Pick<Store, "listAudit" | "listAuditAfter" | "transaction">;
  /** True for a daemon; a command that only reads the audit creates nothing. */
  readonly mayCreate: boolean;
};

export type FileAuditAnchor = AuditAnchor & {
  /**
   * Makes key and head where the audit was never anchored, and finishes an anchoring that was
   * interrupted. A missing head beside a key is not replaced.
   */
  start(): Promise<void>;
  /** Something was committed: the head follows within a second. */
  soon(): void;
  /** Accepts the audit as it is now, after a person has looked at it. */
  renew(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The head of the audit in a file of its own, sealed with a key. If the process dies between a
 * commit and the head, the audit has entries newer than the head; it never has fewer or others.
 */
export function openAuditAnchor(options: OpenAuditAnchor): FileAuditAnchor {
  const { store, log } = options;
  const files = auditFilesOf(options.dataDir, options.keyFile);
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let hasComplained = false;
  let mustBegin = false;

  /** A file that cannot be read is as bad as one that does not fit. */
  function state(): Promise<AnchorState> {
    return look().catch((error: unknown) => broken(messageOf(error)));
  }

  async function look(): Promise<AnchorState> {
    const key = readKey(files);
    if (!key) {
      if (!hasHead(files)) return { kind: "none" };
      return broken(`The key ${files.keyPath} is missing, so the head cannot be checked.`);
    }
    const head = readHead(files, key);
    if (head === "damaged") {
      return broken(`${files.headPath} is damaged, or was not made with the key ${files.keyPath}.`);
    }
    if (head) return { kind: "anchored", head };
    if ((await lastOf(store)).seq === 0) return { kind: "none" };
    return broken(`The head ${files.headPath} is missing.`);
  }

  async function advance(): Promise<void> {
    const found = await state();
    const key = readKey(files);
    if (found.kind !== "anchored" || !key) return complain(found);
    const { head } = found;
    if (!(await hasEntry(store, head))) {
      return complain(broken(`Entry ${head.seq} is not the one that was anchored.`));
    }
    const last = await lastOf(store);
    if (last.seq > head.seq) writeHead(files, key, last);
  }

  /** What is broken stays as it is: a new head would hide it. */
  function complain(found: AnchorState): void {
    if (found.kind !== "broken" || hasComplained) return;
    hasComplained = true;
    log.error("The audit does not fit its head; `kuromajutsu audit verify` says more.", {
      why: found.why,
    });
  }

  function queue(work: () => Promise<void>): Promise<void> {
    turn = turn.then(work).catch((error: unknown) => {
      log.error("The head of the audit could not be written; the next commit tries again.", {
        error: String(error),
      });
    });
    return turn;
  }

  /** What `start` could not do (no space on the disk) is tried again with the next commit. */
  const follow = (): Promise<void> => (mustBegin ? begin() : advance());

  async function begin(): Promise<void> {
    finishInterrupted();
    const found = await state();
    const key = found.kind === "none" ? readKey(files) : undefined;
    if (found.kind !== "none") await advance();
    else if (key) writeHead(files, key, await lastOf(store));
    else await anchorAnew();
    mustBegin = false;
  }

  /** The process died between writing the head and keeping its key. */
  function finishInterrupted(): void {
    const draft = readKey(files) ? undefined : readDraftKey(files);
    const head = draft && readHead(files, draft);
    if (head && head !== "damaged") keepKey(files);
  }

  async function anchorAnew(): Promise<void> {
    await anchorWith(draftKey(files));
    keepKey(files);
  }

  async function anchorWith(key: Buffer): Promise<void> {
    const before = await lastOf(store);
    if (before.seq > 0) {
      const data = { entries: before.seq, hash: before.hash };
      const entry = { actor: "system", action: "audit.anchored", subject: "audit", data };
      await store.transaction((unit) => unit.appendAudit({ at: Date.now(), ...entry }));
    }
    writeHead(files, key, await lastOf(store));
  }

  return {
    start() {
      mustBegin = true;
      return queue(begin);
    },
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queue(follow);
      }, COALESCE_MS);
      timer.unref();
    },
    async read() {
      if (options.mayCreate) await queue(follow);
      return state();
    },
    renew() {
      const key = readKey(files);
      return key ? anchorWith(key) : anchorAnew();
    },
    async close() {
      clearTimeout(timer);
      await queue(follow);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function broken(why: string): AnchorState {
  return { kind: "broken", why };
}

async function lastOf(store: OpenAuditAnchor["store"]): Promise<AuditHead> {
  const [last] = (await store.listAudit({ limit: 1 })).entries;
  return last && last.seq > 0 ? { seq: last.seq, hash: last.hash } : { seq: 0, hash: FIRST_HASH };
}

async function hasEntry(
  store: OpenAuditAnchor["store"],
  { seq, hash }: AuditHead,
): Promise<boolean> {
  if (seq === 0) return true;
  const [entry] = await store.listAuditAfter(seq - 1, 1);
  return entry?.seq === seq && entry.hash === hash;
}
