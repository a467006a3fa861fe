import type { Agent } from "../../domain/agents/agent.ts";
import type { Locale } from "../../domain/locale.ts";
import { hasLabels, missingLabels } from "../../domain/workers/labels.ts";
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
  const room = await labelRoomOf(core, core.store);
  const texts = TEXTS[core.settings.locale];
  return (agent) => {
    const { labels } = agent;
    const able = hosts.filter((host) => host.makesWorktrees || agent.workspaceId === null);
    if (!able.some((host) => hasLabels(host.labels, labels))) {
      const missing = missingLabels([...new Set(able.flatMap((host) => host.labels))], labels);
      if (able.length === 0) return agent.workspaceId === null ? texts.noHost : texts.noServer;
      return texts.noLabel(missing.length > 0 ? missing : labels);
    }
    const full = room.fullLabelOf(agent);
    return full === undefined ? undefined : texts.full(full, core.settings.labelLimits[full] ?? 0);
  };
}

type Host = { readonly labels: readonly string[]; readonly makesWorktrees: boolean };

/** The hosts that run agents now. */
async function listHosts(core: Core): Promise<readonly Host[]> {
  const { offer, host, servers, workers } = core;
  const here = { slots: offer?.slots() ?? null, labels: offer?.labels() ?? [] };
  const others = ((await servers?.list()) ?? []).filter(({ hasLeft }) => !hasLeft);
  const connected = ((await workers?.list()) ?? []).flatMap(({ state, details }) =>
    state === "connected" && details && !details.isDraining ? [details] : [],
  );
  return [
    ...[...(host ? [] : [here]), ...others].map((each) => ({ ...each, makesWorktrees: true })),
    ...[...(host ? [here] : []), ...connected].map((each) => ({ ...each, makesWorktrees: false })),
  ].flatMap(({ slots, labels = [], makesWorktrees }) =>
    slots === 0 ? [] : [{ labels, makesWorktrees }],
  );
}

type WaitTexts = {
  readonly full: (label: string, limit: number) => string;
  readonly noLabel: (labels: readonly string[]) => string;
  readonly noHost: string;
  readonly noServer: string;
};

const TEXTS: Readonly<Record<Locale, WaitTexts>> = {
  ja: {
    full: (label, limit) =>
      `ラベル ${label} のエージェントが上限の ${limit} 体動いています（agent.limits）。`,
    noLabel: (labels) =>
      `ラベル ${labels.join("、")} を持つサーバーやワーカーがつながっていません。`,
    noHost:
      "サーバーは自分ではエージェントを動かさず（server.slots が 0）、ワーカーもつながっていません。",
    noServer: "作業ツリーのあるエージェントはサーバーだけが動かせますが、server.slots が 0 です。",
  },
  en: {
    full: (label, limit) =>
      `The most agents with the label ${label} are running: ${limit} (agent.limits).`,
    noLabel: (labels) =>
      `No connected server or worker has the ${labels.length === 1 ? "label" : "labels"} ${labels.join(", ")}.`,
    noHost: "No worker is connected, and servers run no agents themselves (server.slots is 0).",
    noServer: "Only servers run agents with a worktree, and server.slots is 0.",
  },
};
