import { setTimeout as delay } from "node:timers/promises";
import type { AttemptKey, StoredEnd, TranscriptChunk } from "../../../app/ports/transcripts.ts";
import type { Log } from "../../../app/ports/world.ts";
import { runFresh } from "../../../base/run-fresh.ts";
import { listAttempts } from "./remove-spool.ts";
import { readNews, type Shipment } from "./spool-news.ts";
import { spoolFiles } from "./spool.ts";

/** Output is at most this old when it is sent. */
const EVERY_MS = 1_000;
const MAX_BACKOFF_MS = 10_000;
/** The end of an agent waits this long for its transcript, and then is recorded without it. */
const END_WITHIN_MS = 1_000;
const CLOSE_WITHIN_MS = 2_000;
/** Bytes in one call of the sink, before compression; bounds the memory. */
const CALL_BYTES = 1024 * 1024;
const ASK_AT_ONCE = 500;

export type ShipSpool = {
  readonly spoolDir: string;
  /** Resolves when the chunks are stored. */
  readonly sink: (chunks: readonly TranscriptChunk[]) => Promise<void>;
  /** Where to go on with each of these attempts, in the same order. */
  readonly acknowledged: (attempts: readonly AttemptKey[]) => Promise<readonly StoredEnd[]>;
  readonly log: Log;
  readonly everyMs?: number;
};

export type SpoolShipper = {
  /** Sends what the attempt has written and writes from now on. */
  follow(attempt: AttemptKey): void;
  /**
   * These attempts write nothing more. Resolves when all of their output is stored, or after a
   * second: then it is stored later.
   */
  end(attempts: readonly AttemptKey[]): Promise<void>;
  /**
   * Sends what an earlier process has left in the spool. Attempts that may still write must be
   * followed before.
   */
  resume(): Promise<void>;
  /** Sends nothing more of these agents. Resolves when no call with their chunks is under way. */
  forget(agentIds: readonly string[]): Promise<void>;
  /** Whether all output of an agent that has ended is stored, so that its files may be deleted. */
  isShipped(agentId: string): boolean;
  whenShipped(agentId: string): Promise<void>;
  /** Sends what is there, if that does not take long. */
  close(): Promise<void>;
};

type Followed = AttemptKey & {
  readonly path: string;
  /** Everything before it is stored; undefined: to be asked. */
  from: number | undefined;
  isOver: boolean;
  /** Its file could not be read, and that is reported. */
  isUnreadable: boolean;
};

type Queue = Map<string, Followed>;

/**
 * Sends the output of agents from the spool to where it is stored for all. It keeps only offsets:
 * after a failure or a restart it asks what is stored, and goes on there. Without agents it has no
 * timer; an agent that writes nothing costs one look at the size of its file in each interval.
 */
export function createSpoolShipper(options: ShipSpool): SpoolShipper {
  const { spoolDir, log, everyMs = EVERY_MS } = options;
  const current: Queue = new Map();
  /** What an earlier process has left. It may be much, and must not hold up agents of now. */
  const leftover: Queue = new Map();
  const queues = [current, leftover];
  const waiters = new Set<() => void>();
  const failures = createFailures(log);
  let timer: NodeJS.Timeout | undefined;
  let isResumed = false;
  let isClosed = false;

  const ship = runFresh(async () => {
    try {
      while (await sendSome(options, current));
      const hasMore = await sendSome(options, leftover);
      failures.over();
      if (hasMore && !isClosed) setImmediate(() => void ship());
    } catch (error) {
      // It is not known what was stored of the chunks under way.
      for (const each of followed()) each.from = undefined;
      failures.add(error);
    }
    for (const look of waiters) look();
    if (isEmpty()) stopTimer();
  });

  const followed = () => queues.flatMap((queue) => [...queue.values()]);
  const isEmpty = () => queues.every(({ size }) => size === 0);

  function add(queue: Queue, { agentId, attempt }: AttemptKey): void {
    const { out: path, key: name } = spoolFiles(spoolDir, agentId, attempt);
    if (isClosed || queues.some((each) => each.has(name))) return;
    const isOver = queue === leftover;
    queue.set(name, { agentId, attempt, path, from: undefined, isOver, isUnreadable: false });
    timer ??= setInterval(() => {
      if (!failures.isWaiting()) void ship();
    }, everyMs).unref();
  }

  function stopTimer(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function isShipped(agentId: string): boolean {
    return isResumed && !followed().some((each) => each.agentId === agentId);
  }

  return {
    follow: (attempt) => add(current, attempt),

    async end(attempts) {
      const ending = attempts.flatMap(({ agentId, attempt }) => {
        return current.get(spoolFiles(spoolDir, agentId, attempt).key) ?? [];
      });
      for (const each of ending) each.isOver = true;
      if (ending.length > 0 && !failures.isWaiting()) await atMost(END_WITHIN_MS, ship());
    },

    async resume() {
      for (const attempt of await listAttempts(spoolDir)) add(leftover, attempt);
      isResumed = true;
      if (!isEmpty()) void ship();
    },

    async forget(agentIds) {
      const counts = queues.map((queue) => deleteFrom(queue, new Set(agentIds)));
      // A round that begins now does not know them.
      if (counts.some((count) => count > 0)) await ship();
    },

    isShipped,

    async whenShipped(agentId) {
      if (isShipped(agentId)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (!isShipped(agentId)) return;
        waiters.delete(look);
        resolve();
      };
      waiters.add(look);
      await promise;
    },

    async close() {
      isClosed = true;
      stopTimer();
      if (!isEmpty()) await atMost(CLOSE_WITHIN_MS, ship());
      for (const queue of queues) queue.clear();
    },
  };
}

function deleteFrom(queue: Queue, agentIds: ReadonlySet<string>): number {
  const names = [...queue].flatMap(([name, { agentId }]) => (agentIds.has(agentId) ? [name] : []));
  for (const name of names) queue.delete(name);
  return names.length;
}

/** Sends at most one call of chunks; false: nothing more is there now. */
async function sendSome(options: ShipSpool, queue: Queue): Promise<boolean> {
  const hasUnknown = await askForOffsets(options, queue);
  const { shipments, isFull } = await gather(options, queue);
  if (shipments.length === 0) return hasUnknown;
  await options.sink(shipments.flatMap(({ chunks }) => chunks));
  for (const { name, attempt, end, isWhole } of shipments) {
    attempt.from = end;
    // It was forgotten meanwhile.
    if (queue.get(name) !== attempt) continue;
    queue.delete(name);
    // To the end of the queue: an agent that writes much must not hold up the others.
    if (!isWhole) queue.set(name, attempt);
  }
  return isFull || hasUnknown;
}

/** Asks for some of the offsets that are not known; true: there are more of them. */
async function askForOffsets({ acknowledged }: ShipSpool, queue: Queue): Promise<boolean> {
  const unknown = [...queue].filter(([, { from }]) => from === undefined);
  const asked = unknown.slice(0, ASK_AT_ONCE);
  if (asked.length === 0) return false;
  const ends = await acknowledged(asked.map(([, { agentId, attempt }]) => ({ agentId, attempt })));
  for (const [index, [name, attempt]] of asked.entries()) {
    const end = ends[index];
    attempt.from = end?.offset ?? 0;
    // An attempt that still writes goes on behind an end that was stored too early.
    if (end?.isComplete && attempt.isOver) queue.delete(name);
  }
  return unknown.length > asked.length;
}

async function gather({ log }: ShipSpool, queue: Queue) {
  const shipments: (Shipment<Followed> & { readonly name: string })[] = [];
  let bytes = 0;
  for (const [name, attempt] of queue) {
    if (attempt.from === undefined) continue;
    if (bytes >= CALL_BYTES) return { shipments, isFull: true };
    try {
      const news = await readNews(attempt);
      if (!news) continue;
      shipments.push({ ...news, name });
      bytes += news.end - attempt.from;
    } catch (error) {
      // One file that cannot be read must not hold up the others.
      if (!attempt.isUnreadable) {
        log.warn("A transcript cannot be read and stored.", { key: name, error: String(error) });
      }
      attempt.isUnreadable = true;
    }
  }
  return { shipments, isFull: shipments.some(({ hasMore }) => hasMore) };
}

/** Reports the first failure and the recovery, and spaces out the retries. */
function createFailures(log: Log) {
  let count = 0;
  let retryAt = 0;
  return {
    isWaiting: () => performance.now() < retryAt,
    add(error: unknown): void {
      count += 1;
      retryAt = performance.now() + Math.min(MAX_BACKOFF_MS, 500 * 2 ** count);
      if (count > 1) return;
      log.warn("Transcripts could not be stored; trying again.", { error: String(error) });
    },
    over(): void {
      if (count > 0) log.info("Transcripts are stored again.", { failures: count });
      count = 0;
    },
  };
}

/** Resolves with the work, or after this time. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const timeout = new AbortController();
  const { signal } = timeout;
  const late = delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  await Promise.race([work, late]);
  timeout.abort();
}
