import type { AnchorState, AuditAnchor, AuditHead } from "../../app/ports/audit-anchor.ts";
import type { Store } from "../../app/ports/store.ts";
import type { Clock, Log } from "../../app/ports/world.ts";
import { FIRST_HASH } from "../../domain/people/audit.ts";
import { systemClock } from "../world.ts";
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

/** Coalesces commits: writing a head syncs to the disk. */
const COALESCE_MS = 1_000;

export type OpenAuditAnchor = {
  readonly dataDir: string;
  /** The path of the key; by default beside the database. */
  readonly keyFile?: string | undefined;
  /** Default: that of this host. */
  readonly clock?: Clock;
  readonly log: Log;
  readonly store: Pick<Store, "listAudit" | "listAuditAfter" | "transaction">;
  /** True for a daemon; a command that only reads the audit creates nothing. */
  readonly mayCreate: boolean;
};

export type FileAuditAnchor = AuditAnchor & {
  /**
   * Creates key and head if the audit was never anchored, and completes an interrupted anchoring. A
   * missing head beside a key is not replaced.
   */
  start(): Promise<void>;
  /** Call after a commit: the head is updated within a second. */
  soon(): void;
  /** Accepts the current audit, after a person has checked it. */
  renew(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The head of the audit in a file of its own, sealed with a key. If the process dies between a
 * commit and the head, the audit has entries newer than the head; it never has fewer or others.
 */
export function openAuditAnchor(options: OpenAuditAnchor): FileAuditAnchor {
  const { log } = options;
  const { store, clock = systemClock } = options;
  const place = { files: auditFilesOf(options.dataDir, options.keyFile), store, clock };
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let hasComplained = false;
  let mustBegin = false;

  /** A broken anchor stays as it is: a new head would hide the problem. */
  function complain(found: AnchorState): void {
    if (found.kind !== "broken" || hasComplained) return;
    hasComplained = true;
    log.error("The audit does not match its head; run `kuromajutsu audit verify` for details.", {
      why: found.why,
    });
  }

  function queue(work: () => Promise<void>): Promise<void> {
    turn = turn.then(work).catch((error: unknown) => {
      log.error("The head of the audit could not be written; retrying after the next commit.", {
        error: String(error),
      });
    });
    return turn;
  }

  const advance = async (): Promise<void> => complain(await advanceHead(place));

  async function begin(): Promise<void> {
    finishInterrupted(place);
    const found = await readState(place);
    const key = found.kind === "none" ? readKey(place.files) : undefined;
    if (found.kind !== "none") await advance();
    else if (key) writeHead(place.files, key, await lastOf(place.store));
    else await anchorAnew(place);
    mustBegin = false;
  }

  /** A failed `start` (disk full) is retried after the next commit. */
  const follow = (): Promise<void> => (mustBegin ? begin() : advance());

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
      return readState(place);
    },
    renew() {
      const key = readKey(place.files);
      return key ? anchorWith(place, key) : anchorAnew(place);
    },
    async close() {
      clearTimeout(timer);
      await queue(follow);
    },
  };
}

/** The audit and the files that its head is in. */
type Files = { readonly files: ReturnType<typeof auditFilesOf> };
type ReadPlace = { readonly store: Pick<Store, "listAudit"> };
type Place = Files & { readonly store: OpenAuditAnchor["store"]; readonly clock: Clock };

/** The state of the head in a directory that no daemon writes to; creates nothing. */
export function readAnchor({
  dataDir,
  keyFile,
  store,
}: Pick<OpenAuditAnchor, "dataDir" | "keyFile"> & ReadPlace): Promise<AnchorState> {
  return readState({ files: auditFilesOf(dataDir, keyFile), store });
}

/** An unreadable file counts as broken, like one that does not match. */
function readState(place: Files & ReadPlace): Promise<AnchorState> {
  return compareWithAudit(place).catch((error: unknown) => broken(messageOf(error)));
}

async function compareWithAudit({ files, store }: Files & ReadPlace): Promise<AnchorState> {
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

/** Moves an intact head to the last entry; returns the state before. */
async function advanceHead(place: Place): Promise<AnchorState> {
  const { files, store } = place;
  const found = await readState(place);
  const key = readKey(files);
  if (found.kind !== "anchored" || !key) return found;
  const { head } = found;
  if (!(await hasEntry(store, head))) {
    return broken(`Entry ${head.seq} is not the one that was anchored.`);
  }
  const last = await lastOf(store);
  if (last.seq > head.seq) writeHead(files, key, last);
  return found;
}

/** The process crashed between writing the head and keeping its key. */
function finishInterrupted({ files }: Place): void {
  const draft = readKey(files) ? undefined : readDraftKey(files);
  const head = draft && readHead(files, draft);
  if (head && head !== "damaged") keepKey(files);
}

async function anchorAnew(place: Place): Promise<void> {
  await anchorWith(place, draftKey(place.files));
  keepKey(place.files);
}

async function anchorWith({ files, store, clock }: Place, key: Buffer): Promise<void> {
  const before = await lastOf(store);
  if (before.seq > 0) {
    const data = { entries: before.seq, hash: before.hash };
    const entry = { actor: "system", action: "audit.anchored", subject: "audit", data };
    await store.transaction((unit) => unit.appendAudit({ at: clock.now(), ...entry }));
  }
  writeHead(files, key, await lastOf(store));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function broken(why: string): AnchorState {
  return { kind: "broken", why };
}

async function lastOf(store: ReadPlace["store"]): Promise<AuditHead> {
  const [last] = (await store.listAudit({ limit: 1 })).entries;
  return last && last.seq > 0 ? { seq: last.seq, hash: last.hash } : { seq: 0, hash: FIRST_HASH };
}

async function hasEntry(store: Place["store"], { seq, hash }: AuditHead): Promise<boolean> {
  if (seq === 0) return true;
  const [entry] = await store.listAuditAfter(seq - 1, 1);
  return entry?.seq === seq && entry.hash === hash;
}
