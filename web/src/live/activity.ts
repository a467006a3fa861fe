import type { AgentCard } from "../../../src/contract/shapes/agents.ts";
import { useLive } from "./store.ts";

const BUCKET_MS = 4_000;
const BUCKETS = 20;

type Trace = { readonly counts: Uint16Array; bucket: number };

/** Recent activity of each agent, counted by this page from live updates. */
const traces = new Map<string, Trace>();
const QUIET: readonly number[] = Array.from({ length: BUCKETS }, () => 0);

/** Oldest bucket first. */
export function activityOf(agentId: string, now = Date.now()): readonly number[] {
  const trace = traces.get(agentId);
  if (!trace) return QUIET;
  const bucket = Math.floor(now / BUCKET_MS);
  return QUIET.map((_, index) => {
    const at = bucket - BUCKETS + 1 + index;
    const isKept = at <= trace.bucket && at > trace.bucket - BUCKETS;
    return isKept ? (trace.counts[at % BUCKETS] ?? 0) : 0;
  });
}

function note(agentId: string, bucket: number): void {
  let trace = traces.get(agentId);
  if (!trace) {
    trace = { counts: new Uint16Array(BUCKETS), bucket };
    traces.set(agentId, trace);
  }
  const skipped = Math.min(bucket - trace.bucket, BUCKETS);
  for (let back = 0; back < skipped; back++) trace.counts[(bucket - back) % BUCKETS] = 0;
  trace.bucket = bucket;
  trace.counts[bucket % BUCKETS] = (trace.counts[bucket % BUCKETS] ?? 0) + 1;
}

function observe(agents: ReadonlyMap<string, AgentCard>, before: ReadonlyMap<string, AgentCard>) {
  const bucket = Math.floor(Date.now() / BUCKET_MS);
  for (const [id, agent] of agents) {
    const old = before.get(id);
    // A snapshot replaces all cards; count only real changes.
    if (!old || old === agent) continue;
    if (old.lastMessage !== agent.lastMessage || old.toolCallCount !== agent.toolCallCount) {
      note(id, bucket);
    }
  }
  if (traces.size > agents.size * 2 + 100) {
    for (const id of traces.keys()) if (!agents.has(id)) traces.delete(id);
  }
}

useLive.subscribe((state, before) => {
  if (state.agents !== before.agents) observe(state.agents, before.agents);
});
