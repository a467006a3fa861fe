import type { Duplex } from "node:stream";
import type { Core } from "../../app/core.ts";
import type { IsReadOnly } from "../../app/gateway/recover-calls.ts";
import { createHostProblems } from "../../app/health/host-problems.ts";
import type { AgentHost, Unfetched } from "../../app/ports/agent-host.ts";
import type { HostProblems } from "../../app/ports/host-problems.ts";
import type { Observation, Supervisor } from "../../app/ports/supervisor.ts";
import type { Transcripts } from "../../app/ports/transcripts.ts";
import type { WorkerWorktrees } from "../../app/ports/worker-worktrees.ts";
import type { Workers } from "../../app/ports/workers.ts";
import { checkProgress } from "../../app/workers/check-progress.ts";
import { LeaseEnded } from "../../app/workers/core-of-worker.ts";
import { removableWorktrees } from "../../app/workers/removable-worktrees.ts";
import { createWorkerSession, type WorkerSession } from "../../app/workers/worker-session.ts";
import type { WorkerSessions } from "../../app/workers/worker-sessions.ts";
import { createPeer, type Handlers, type Peer, type Wire } from "../../base/peer.ts";
import { createRelayStreams } from "../../base/relay-streams.ts";
import {
  attemptsShape,
  chunksShape,
  type LeaseState,
  observationsShape,
  relayShape,
  workerDescriptionShape,
  workerHelloShape,
  type WorkerWelcome,
} from "../../contract/workers/messages.ts";
import { workspaceIdsShape } from "../../contract/workers/worktrees.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { ModelList } from "../../domain/health/host-models.ts";
import type { Worker, WorkerDetails } from "../../domain/workers/worker.ts";
import type { RelayLink } from "../mcp/relay-door.ts";
import { admitWorker, type Admitted } from "./admit-worker.ts";
import { inTime } from "./in-time.ts";
import { createOncePerConnection } from "./once-per-connection.ts";

/** How long servers wait for the next start of a worker that left agents behind. */
const RESTART_WITHIN_MS = 300_000;
const GOING_AWAY = 1_001;
/** A worker waits for the answer to most of its messages, so it has few under way. */
const MAX_AT_ONCE = 1_000;

export type RemoteOptions = {
  readonly peer: Peer;
  readonly runners: () => ReadonlySet<RunnerId>;
  readonly models: (runner: RunnerId) => ModelList;
  readonly name: string;
  readonly worktreeRoot: string | undefined;
  readonly unfetched: Unfetched;
  readonly problems: HostProblems;
  readonly onHandedBack: () => void;
  readonly clockOffsetMs: number;
  readonly onUnconfirmed: () => void;
};

type Remote = {
  readonly supervisor: Supervisor;
  readonly host: AgentHost;
  readonly worktrees: (WorkerWorktrees & { onCommandLine(args: unknown): void }) | undefined;
};

export type WorkerDoorOptions = {
  readonly core: Core;
  readonly workers: Workers;
  readonly transcripts: Pick<Transcripts, "put" | "acknowledged">;
  /** This server, and this process of it. */
  readonly serverId: string;
  readonly serverProcess: string;
  readonly leaseMs: number;
  readonly sessions: WorkerSessions;
  readonly isReadOnly: IsReadOnly;
  readonly settings: () => WorkerWelcome["agents"];
  readonly createRemote: (options: RemoteOptions) => Remote;
  /** Serves a program on the worker that speaks to our MCP server, with the core of the worker. */
  readonly serveRelayed: (core: Core, stream: Duplex, link: RelayLink) => Promise<void>;
};

export type WorkerConnection = {
  readonly receive: (text: string) => void;
  ended(): Promise<void>;
  /** The server stops; the worker connects to another one. */
  close(): void;
};

/** A worker that was admitted over this connection. */
type Joined = {
  readonly epoch: number;
  readonly session: WorkerSession;
  details: WorkerDetails;
  readonly clockOffsetMs: number;
  readonly leave: () => void;
  readonly onCommandLine: (args: unknown) => void;
};

/** What one connected worker asks for, and what this server asks of it. */
export function serveWorker(
  options: WorkerDoorOptions,
  worker: Worker,
  wire: Wire,
): WorkerConnection {
  const { core, workers } = options;
  const { log } = core;
  let joined: Joined | undefined;
  const once = createOncePerConnection(log, worker.name, () => peer);
  const handlers: Handlers = {
    async hello(args) {
      once.begin("hello");
      const hello = workerHelloShape.parse(args);
      // While this server was paused, the worker may have gone to another one, which it would fence.
      await isThere();
      const { answer, admitted } = await admitWorker(options, worker, hello);
      if ("later" in answer) once.mayRepeat("hello");
      // The session of a connection that has ended would never be closed.
      if (admitted && peer.isOpen()) joined = join(options, worker, peer, admitted);
      return answer;
    },
    async ready() {
      const { session, details } = requireJoined();
      once.begin("ready");
      await session.start();
      log.info("A worker is connected.", { worker: worker.name, host: details.host });
    },
    observe: (args) => observe(requireJoined(), peer, args),
    beat: () => beat(options, worker.id, joined),
    async describe(args) {
      const mine = requireJoined();
      await describe(workers, worker, mine, workerDescriptionShape.parse(args));
      // It may have a model now that queued agents need.
      mine.session.dispatchSoon();
    },
    async drain() {
      const mine = requireJoined();
      await describe(workers, worker, mine, { isDraining: true });
      await mine.session.drain();
    },
    leave: () => letGo(options, worker, requireJoined()),
    putTranscripts: (args) => putTranscripts(options, worker.id, args),
    storedTranscripts: (args) => options.transcripts.acknowledged(attemptsShape.parse(args)),
    removableWorktrees: (args) =>
      removableWorktrees(core, worker.id, workspaceIdsShape.parse(args)),
    commandLine: (args) => joined?.onCommandLine(args),
    relay: (args) => relays.receive(relayShape.parse(args)),
  };
  const peer: Peer = createPeer(wire, handlers, MAX_AT_ONCE);
  /** Resolves when the worker answers. Every version answers this call. */
  const isThere = (): Promise<unknown> => peer.call("exist", { paths: [] });
  const link = relayLinkOf(peer, isThere);
  const relays = createRelayStreams({
    send: (piece) => peer.tell("relay", piece),
    onOpened(stream) {
      options.serveRelayed(requireJoined().session.core, stream, link).catch((error: unknown) => {
        log.debug("A connection through a worker was refused.", { error: String(error) });
        stream.destroy();
      });
    },
  });
  function requireJoined(): Joined {
    if (!joined) throw new Error("The worker has not said hello.");
    return joined;
  }
  return {
    receive: (text) => peer.receive(text),
    async ended() {
      peer.ended();
      relays.end();
      if (!joined) return;
      joined.leave();
      await joined.session.close();
      log.info("A worker is disconnected.", { worker: worker.name });
    },
    close: () => peer.close(GOING_AWAY, "the server stops"),
  };
}

function relayLinkOf(peer: Peer, isThere: () => Promise<unknown>): RelayLink {
  return {
    isOpen: () => peer.isOpen(),
    // Messages arrive in order, so an answer to any call proves it.
    hasArrived: () =>
      isThere().then(
        () => true,
        () => false,
      ),
  };
}

/** The worker stops on purpose. */
async function letGo(
  { core, workers }: WorkerDoorOptions,
  { id, name }: Worker,
  { session, epoch }: Joined,
): Promise<void> {
  await session.drain();
  await session.captured();
  const hasAgents = (await core.store.listLiveAgents(id)).length > 0;
  await workers.leave(id, epoch, hasAgents ? RESTART_WITHIN_MS : 0);
  core.log.info("A worker has left.", { worker: name, hasAgents });
}

function join(
  options: WorkerDoorOptions,
  worker: Worker,
  peer: Peer,
  { epoch, isMoved, details, clockOffsetMs }: Admitted,
): Joined {
  const { supervisor, host, worktrees } = options.createRemote({
    peer,
    clockOffsetMs,
    name: worker.name,
    worktreeRoot: details.worktreeRoot,
    unfetched: options.sessions.unfetchedOf(worker.id),
    problems: problemsOf(options, worker, () => joined),
    onHandedBack: () => options.core.dispatchSoon(),
    runners: () => new Set(joined.details.runners.map(({ id }) => id)),
    models: (runner) => joined.details.runners.find(({ id }) => id === runner)?.models,
    onUnconfirmed: () => peer.close(GOING_AWAY, "a launch was not confirmed"),
  });
  const session = createWorkerSession(options.core, {
    workerId: worker.id,
    epoch,
    isMoved,
    supervisor,
    host,
    worktrees,
    offer: { slots: () => joined.details.slots, labels: () => joined.details.labels },
    isReadOnly: options.isReadOnly,
  });
  const leave = options.sessions.add({
    workerId: worker.id,
    host,
    supervisor,
    dispatchSoon: () => session.dispatchSoon(),
  });
  const onCommandLine = (args: unknown): void => worktrees?.onCommandLine(args);
  const joined: Joined = { epoch, session, details, clockOffsetMs, leave, onCommandLine };
  return joined;
}

/** Other servers read them in the row of the worker, too. */
function problemsOf(
  { core, workers }: WorkerDoorOptions,
  worker: Worker,
  joined: () => Joined,
): HostProblems {
  return createHostProblems(core.clock, (problems) => {
    describe(workers, worker, joined(), { problems }).catch((error: unknown) =>
      core.log.warn("The problems of a worker could not be stored.", {
        worker: worker.name,
        error: String(error),
      }),
    );
  });
}

async function describe(
  workers: Workers,
  { id }: Worker,
  joined: Joined,
  over: Partial<WorkerDetails>,
): Promise<void> {
  joined.details = { ...joined.details, ...over };
  await workers.describe(id, joined.epoch, joined.details);
}

/** Only of agents that run there: a stolen token must not change the transcripts of others. */
async function putTranscripts(
  { core, transcripts }: WorkerDoorOptions,
  workerId: string,
  args: unknown,
): Promise<void> {
  const chunks = chunksShape.parse(args);
  const agents = await core.store.getAgents([...new Set(chunks.map(({ agentId }) => agentId))]);
  const others = new Set(agents.filter((agent) => agent.workerId !== workerId).map(({ id }) => id));
  const own = chunks.filter(({ agentId }) => !others.has(agentId));
  await transcripts.put(
    own.map((chunk) => ({ ...chunk, data: Buffer.from(chunk.data, "base64") })),
  );
}

async function observe(
  { session, clockOffsetMs }: Joined,
  peer: Peer,
  args: unknown,
): Promise<void> {
  const batch = observationsShape.parse(args).map((each): Observation => {
    if (each.type === "started") return { ...each, at: each.at + clockOffsetMs };
    return each.type === "progress" || each.type === "ended"
      ? { ...each, progress: checkProgress(each.progress) }
      : each;
  });
  try {
    await session.observe(batch);
  } catch (error) {
    if (error instanceof LeaseEnded) peer.close(GOING_AWAY, "the lease has ended");
    throw error;
  }
}

async function beat(
  { workers, leaseMs }: WorkerDoorOptions,
  workerId: string,
  joined: Joined | undefined,
): Promise<LeaseState> {
  if (!joined) return "ended";
  try {
    const isHeld = await inTime(workers.beat(workerId, joined.epoch), leaseMs);
    return isHeld ? "held" : "ended";
  } catch {
    return "unknown";
  }
}
