import type { Agent } from "../../domain/agents/agent.ts";
import type { Locale } from "../../domain/locale.ts";
import { hasLabels, missingLabels } from "../../domain/workers/labels.ts";
import type { FetchProblem } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import { pauseSentence } from "../roles/runner-texts.ts";
import { labelRoomOf } from "./label-limits.ts";
import { obeysPauses } from "./paused-runners.ts";
import { hasKeys } from "./runnable-here.ts";

export type WaitingFor = (agent: Agent) => { waitingFor?: string };

/**
 * What queued agents wait for besides a free slot. Looks at hosts and limits only if it could matter
 * for one of these agents.
 */
export async function explainWaiting(core: Core, agents: readonly Agent[]): Promise<WaitingFor> {
  const placed = await explainPlaces(core, agents);
  return (agent) => {
    if (agent.status !== "queued") return {};
    if (!hasKeys(core, agent)) return { waitingFor: "needs key" };
    const pause = obeysPauses(agent) ? pauseSentence(core, agent.runner) : undefined;
    const sentence = pause ?? placed(agent);
    return sentence === undefined ? {} : { waitingFor: sentence };
  };
}

async function explainPlaces(
  core: Core,
  agents: readonly Agent[],
): Promise<(agent: Agent) => string | undefined> {
  const isQueued = agents.some(({ status }) => status === "queued");
  const hasWanted = agents.some(({ status, labels }) => status === "queued" && labels.length > 0);
  const mayLackHosts = hasWanted || (isQueued && core.offer?.slots() === 0);
  if (!mayLackHosts) return () => undefined;
  const hosts = await listHosts(core);
  const problems = await fetchProblemsOf(core, agents);
  const room = await labelRoomOf(core, core.store);
  const texts = TEXTS[core.settings.locale];
  return (agent) => {
    const { labels } = agent;
    const problem = problems.get(agent.workspaceId ?? "");
    const able = hosts.filter(
      (host) => agent.workspaceId === null || host.makes === "all" || (!problem && host.makes),
    );
    if (!able.some((host) => hasLabels(host.labels, labels))) {
      const missing = missingLabels([...new Set(able.flatMap((host) => host.labels))], labels);
      if (problem) return texts.notFetched(problem);
      if (able.length === 0) return agent.workspaceId === null ? texts.noHost : texts.noServer;
      return texts.noLabel(missing.length > 0 ? missing : labels);
    }
    const full = room.fullLabelOf(agent);
    return full === undefined ? undefined : texts.full(full, core.settings.labelLimits[full] ?? 0);
  };
}

/** Why workers could not make the worktrees of these agents. */
async function fetchProblemsOf(
  core: Core,
  agents: readonly Agent[],
): Promise<ReadonlyMap<string, FetchProblem>> {
  const ids = agents.flatMap(({ status, workspaceId }) =>
    status === "queued" && workspaceId !== null ? [workspaceId] : [],
  );
  const rows = ids.length === 0 ? [] : await core.store.getWorkspaces(ids);
  return new Map(
    rows.flatMap(({ id, fetchProblem }) => (fetchProblem ? [[id, fetchProblem] as const] : [])),
  );
}

type Host = {
  readonly labels: readonly string[];
  /** Which worktrees it can make: `fetched` are those whose commit it can fetch. */
  readonly makes: "all" | "fetched" | undefined;
};

/** The hosts that run agents now. */
async function listHosts(core: Core): Promise<readonly Host[]> {
  const { offer, host, servers, workers } = core;
  const here = { slots: offer?.slots() ?? null, labels: offer?.labels() ?? [] };
  const others = ((await servers?.list()) ?? []).filter(({ hasLeft }) => !hasLeft);
  const connected = ((await workers?.list()) ?? []).flatMap(({ state, details }) =>
    state === "connected" && details && !details.isDraining ? [details] : [],
  );
  return [
    ...[...(host ? [] : [here]), ...others].map((each) => ({ ...each, makes: "all" as const })),
    ...connected.map((each) => ({
      ...each,
      makes: each.worktreeRoot === undefined ? undefined : ("fetched" as const),
    })),
  ].flatMap(({ slots, labels = [], makes }) => (slots === 0 ? [] : [{ labels, makes }]));
}

type WaitTexts = {
  readonly full: (label: string, limit: number) => string;
  readonly noLabel: (labels: readonly string[]) => string;
  readonly noHost: string;
  readonly noServer: string;
  readonly notFetched: (problem: FetchProblem) => string;
};

const TEXTS: Readonly<Record<Locale, WaitTexts>> = {
  ja: {
    full: (label, limit) =>
      `ラベル ${label} のエージェントが上限の ${limit} 体動いています（agent.limits）。`,
    noLabel: (labels) =>
      `ラベル ${labels.join("、")} を持つサーバーやワーカーがつながっていません。`,
    noHost:
      "サーバーは自分ではエージェントを動かさず（server.slots が 0）、ワーカーもつながっていません。",
    noServer:
      "作業ツリーを作れるサーバーもワーカーもありません。サーバーの server.slots は 0 で、リポジトリを取得できるワーカーがつながっていません。",
    notFetched: (problem) =>
      problem.type === "unknown_commit"
        ? `ワーカー ${problem.worker} がリモートからコミット ${problem.commit.slice(0, 12)} を取得できません。リモートにありません。プッシュするか、server.slots を 1 以上にしてください。`
        : `ワーカー ${problem.worker} がリポジトリを取得できません（${problem.reason}）。ワーカーのユーザーにリモートへのアクセスを許可するか、server.slots を 1 以上にしてください。`,
  },
  en: {
    full: (label, limit) =>
      `The most agents with the label ${label} are running: ${limit} (agent.limits).`,
    noLabel: (labels) =>
      `No connected server or worker has the ${labels.length === 1 ? "label" : "labels"} ${labels.join(", ")}.`,
    noHost: "No worker is connected, and servers run no agents themselves (server.slots is 0).",
    noServer:
      "No server or worker can make its worktree: server.slots is 0, and no connected worker can fetch repositories.",
    notFetched: (problem) =>
      problem.type === "unknown_commit"
        ? `The worker ${problem.worker} cannot fetch the commit ${problem.commit.slice(0, 12)}: the remote has not got it. Push it, or set server.slots to 1 or more.`
        : `The worker ${problem.worker} cannot fetch the repository (${problem.reason}). Give its user access to the remote, or set server.slots to 1 or more.`,
  },
};
