import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { HostReport } from "../ports/server-messages.ts";
import type { Workers } from "../ports/workers.ts";
import { connectedWorkers } from "./connected-workers.ts";
import { knownServers } from "./known-servers.ts";

/** What hosts say about a directory, by their id. A host that is missing has not answered in time. */
export type HostReports = ReadonlyMap<string, HostReport>;

/** Longer than the question and the answer are gathered, and than a worker may take. */
const ANSWERED_WITHIN_MS = 1_500;
/** Many agents wait for the same directory, and dashboards list them again and again. */
const CACHED_MS = 2_000;
const MAX_CACHED = 500;
/** Well below the size of a message between servers. */
const HOSTS_PER_MESSAGE = 20;

type Cache<Answers> = Map<string, { readonly at: number; readonly answers: Answers }>;
type Caches = {
  readonly own: Cache<Promise<readonly HostReport[]>>;
  readonly others: Cache<Question>;
};

/** Callers share it, and each of them waits only until the answers are enough for it. */
type Question = {
  until(isEnough: (reports: readonly HostReport[]) => boolean): Promise<readonly HostReport[]>;
};

const caches = new WeakMap<Workers, Caches>();

/**
 * Asks this server and its workers, and then those of other servers, unless the first answers are
 * enough.
 */
export async function askHosts(
  core: Core,
  path: string,
  isEnough: (reports: HostReports) => boolean,
): Promise<HostReports> {
  const { workers } = core;
  if (!workers) return byId(await reportOfServer(core, path));
  const cache = caches.get(workers) ?? { own: new Map(), others: new Map() };
  caches.set(workers, cache);
  const own = await remembered(cache.own, path, () => reportHere(core, path)).catch(
    (error: unknown) => {
      cache.own.delete(path);
      throw error;
    },
  );
  if (isEnough(byId(own))) return byId(own);
  const question = remembered(cache.others, path, () => askOthers(core, path, byId(own)));
  const others = await question
    .until((reports) => isEnough(byId([...own, ...reports])))
    .catch((error: unknown) => {
      cache.others.delete(path);
      throw error;
    });
  return byId([...own, ...others]);
}

/** Answers other servers. */
export function answerOthers(core: Core): { stop(): void } {
  const messages = core.store.serverMessages;
  const unsubscribe = messages?.on((message) => {
    if (message.type !== "find_directory") return;
    answer(core, message.questionId, message.path).catch((error: unknown) =>
      core.log.warn("A question of another server could not be answered.", {
        error: String(error),
      }),
    );
  });
  return { stop: () => unsubscribe?.() };
}

async function answer(core: Core, questionId: string, path: string): Promise<void> {
  const all = await reportHere(core, path);
  for (let from = 0; from < all.length; from += HOSTS_PER_MESSAGE) {
    const hosts = all.slice(from, from + HOSTS_PER_MESSAGE);
    core.store.serverMessages?.send({ type: "directory_answer", questionId, hosts });
  }
}

/**
 * Whether a host has the directory. One that does not answer may have it; the agent then waits. A
 * server of the version before does not know the question.
 */
export async function mayBeOnAHost(core: Core, path: string): Promise<boolean> {
  if (await core.directories.exists(path)) return true;
  const reports = await askHosts(core, path, isFound);
  if (isFound(reports)) return true;
  const { servers, workers } = await otherHosts(core);
  const running = servers.filter(({ slots }) => slots !== 0);
  return [...running, ...workers].some(({ id }) => !reports.has(id));
}

function isFound(reports: HostReports): boolean {
  return [...reports.values()].some(({ hasDirectory }) => hasDirectory);
}

/** Undefined: there is no other host, so the directory is missing on this one. */
export async function noHostHas(core: Core, path: string): Promise<Refusal | undefined> {
  const { servers, workers } = await otherHosts(core);
  if (servers.length + workers.length === 0) return undefined;
  return new Refusal("WORKING_DIRECTORY_NOT_FOUND", {
    en: [
      `No connected server or worker has the directory ${path}.`,
      "Give the absolute path of a directory that one of them has, or leave the working directory out. `kuromajutsu worker list` shows the workers that are connected.",
    ],
    ja: [
      `ディレクトリ ${path} のあるサーバーやワーカーがつながっていません。`,
      "どれかにあるディレクトリの絶対パスを指定するか、作業ディレクトリを省略してください。つながっているワーカーは `kuromajutsu worker list` で確認できます。",
    ],
  });
}

async function reportHere(core: Core, path: string): Promise<readonly HostReport[]> {
  const [server, workers] = await Promise.all([
    reportOfServer(core, path),
    core.sessions?.reportOn(path) ?? [],
  ]);
  return [...server, ...workers];
}

async function reportOfServer(core: Core, path: string): Promise<readonly HostReport[]> {
  // The core of a worker has the id of the worker.
  const id = core.calls.serverId;
  if (id === null) return [];
  const found = await Promise.all(
    [...core.runners.values()].map(async (each) => ((await each.detect()) ? [each.id] : [])),
  );
  const hasDirectory = await core.directories.exists(path);
  // Never those of the worker whose core this may be.
  const unusable = core.hostProblems?.all().map(({ runner }) => runner) ?? [];
  return [{ id, hasDirectory, runners: found.flat(), ...(unusable.length > 0 && { unusable }) }];
}

/** It ends when all of them have answered, or after a while. */
function askOthers(core: Core, path: string, known: HostReports): Question {
  const reports: HostReport[] = [];
  const waiting = new Set<() => void>();
  const over = gather(core, path, known, (more) => {
    reports.push(...more);
    for (const look of waiting) look();
  });
  return {
    async until(isEnough) {
      const enough = Promise.withResolvers<void>();
      const look = () => isEnough(reports) && enough.resolve();
      waiting.add(look);
      look();
      await Promise.race([over, enough.promise]);
      waiting.delete(look);
      return [...reports];
    },
  };
}

/** Resolves when all of them have answered, or after a while. */
async function gather(
  core: Core,
  path: string,
  known: HostReports,
  onReports: (reports: readonly HostReport[]) => void,
): Promise<void> {
  const messages = core.store.serverMessages;
  const { servers, workers } = await otherHosts(core);
  const ids = [...servers, ...workers].map(({ id }) => id);
  const asked = new Set(ids.filter((id) => !known.has(id)));
  // Without another server, a worker that has not answered is one of this server.
  if (!messages || servers.length === 0 || asked.size === 0) return;
  const questionId = core.random.hex(8);
  const answered = Promise.withResolvers<void>();
  const unsubscribe = messages.on((message) => {
    if (message.type !== "directory_answer" || message.questionId !== questionId) return;
    onReports(message.hosts);
    for (const { id } of message.hosts) asked.delete(id);
    if (asked.size === 0) answered.resolve();
  });
  const timer = setTimeout(answered.resolve, ANSWERED_WITHIN_MS);
  messages.send({ type: "find_directory", questionId, path });
  await answered.promise;
  clearTimeout(timer);
  unsubscribe();
}

async function otherHosts(core: Core) {
  const [servers, workers] = await Promise.all([knownServers(core), connectedWorkers(core)]);
  return { servers: servers.filter(({ id }) => id !== core.calls.serverId), workers };
}

function byId(reports: readonly HostReport[]): HostReports {
  return new Map(reports.map((report) => [report.id, report]));
}

function remembered<Answers>(known: Cache<Answers>, path: string, ask: () => Answers): Answers {
  const now = performance.now();
  const before = known.get(path);
  if (before && now - before.at < CACHED_MS) return before.answers;
  // Paths come from clients.
  if (known.size >= MAX_CACHED) known.clear();
  const answers = ask();
  known.set(path, { at: now, answers });
  return answers;
}
