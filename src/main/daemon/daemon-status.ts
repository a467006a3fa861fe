import { existsSync } from "node:fs";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import type { Core } from "../../app/core.ts";
import { countDeadJobs } from "../../app/jobs/list-dead-jobs.ts";
import { untrustedOf } from "../../app/people/untrusted.ts";
import { viewServers } from "../../app/servers/view-servers.ts";
import type { DaemonStatus } from "../../contract/hello.ts";
import { inEach } from "../../domain/locale.ts";
import { isStoreRefusal } from "../../domain/refusal.ts";
import { messageIn } from "../../domain/spoken-error.ts";
import { VERSION } from "../version.ts";
import type { Doors } from "./doors.ts";
import { addressesForOthers } from "./host-names.ts";

export type DescribeDaemon = {
  readonly core: Core;
  readonly loaded: LoadedConfig;
  readonly startedAt: string;
  readonly doors: Doors | undefined;
  readonly logFile: string | null;
  readonly demo: DaemonStatus["demo"];
};

export async function describeDaemon(daemon: DescribeDaemon): Promise<DaemonStatus> {
  const { core, loaded, startedAt, doors, logFile, demo } = daemon;
  const url = doors?.url() ?? null;
  const work = await countWork(core);
  const servers = work.storeProblem ? 0 : (await viewServers(core).catch(() => [])).length;
  return {
    pid: process.pid,
    version: VERSION,
    url,
    dataDir: loaded.dataDir,
    configPath: loaded.path ?? (existsSync(loaded.file) ? loaded.file : null),
    startedAt,
    ...work,
    clients: doors?.clientCount() ?? 0,
    ...(servers > 1 && { servers }),
    addresses: url === null ? [] : addressesForOthers(loaded, new URL(url).port),
    signIn: core.people.isEnabled,
    logFile,
    ...(demo && { demo }),
    failedServers: core.upstream
      .servers()
      .filter(({ status }) => status === "failed")
      .map(({ name, error }) => ({ name, error })),
    untrusted: untrustedOf(core.trust?.now() ?? null, core.environment.commandName),
  };
}

/** A daemon whose database is away still says where it is, and can be stopped. */
async function countWork(
  core: Core,
): Promise<Pick<DaemonStatus, "agents" | "tasks" | "deadJobs" | "storeProblem">> {
  try {
    const deadJobs = await countDeadJobs(core);
    return {
      agents: await countAgents(core),
      tasks: await countTasks(core),
      ...(deadJobs > 0 && { deadJobs }),
    };
  } catch (error) {
    if (!isStoreRefusal(error)) throw error;
    return {
      agents: { waiting: 0, live: 0 },
      tasks: { unfinished: 0, approvals: 0 },
      storeProblem: inEach((locale) => messageIn(error, locale)),
    };
  }
}

export async function countAgents(core: Core): Promise<DaemonStatus["agents"]> {
  const { waiting, live, liveOrchestrators, liveReserved } = await core.store.countByProcess();
  return { waiting, live: live + liveOrchestrators + liveReserved };
}

async function countTasks(core: Core): Promise<DaemonStatus["tasks"]> {
  const counts = await core.store.countTasks();
  const over = counts.completed + counts.failed + counts.cancelled;
  const unfinished = Object.values(counts).reduce((sum, count) => sum + count, 0) - over;
  return { unfinished, approvals: await core.store.countPendingApprovals() };
}
