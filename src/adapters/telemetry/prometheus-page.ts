import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { type DeadJobs, JOB_KINDS } from "../../app/ports/jobs.ts";
import type { Metrics, MetricsPage, StoredMetrics } from "../../app/ports/metrics.ts";
import type { ConnectionCounts, UnsettledCount } from "../../app/ports/store.ts";

const MS_PER_SECOND = 1_000;
/** Every state has a sample for every runner, so that a query never finds a gap instead of a 0. */
const AGENT_STATES = ["held", "waiting", "starting", "alive", "capturing"] as const;

/**
 * The text format of Prometheus. From its creation on, the event loop and the garbage collection of
 * this process are measured, so create it when metrics are asked for.
 */
export function createPrometheusPage(): MetricsPage {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const setters = [daemonGauges(registry), storedGauges(registry), poolGauges(registry)];
  return {
    contentType: registry.contentType,
    async render(metrics) {
      for (const set of setters) set(metrics);
      return registry.metrics();
    },
  };
}

type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

/** Returns a function that replaces all samples of the gauge. */
function gaugeIn(registry: Registry, name: string, help: string, labelNames: string[] = []) {
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  return (samples: readonly Sample[]): void => {
    gauge.reset();
    // After a reset, a gauge without labels is 0: that would be a lie about what is not known.
    if (labelNames.length === 0) gauge.remove();
    for (const { labels = {}, value } of samples) gauge.set({ ...labels }, value);
  };
}

function daemonGauges(registry: Registry): (metrics: Metrics) => void {
  const gauge = (name: string, help: string, labels?: string[]) =>
    gaugeIn(registry, `kuromajutsu_${name}`, help, labels);
  const build = gauge("build_info", "Always 1; the version of this daemon.", ["version"]);
  const up = gauge("store_up", "Whether the database answers: 1 or 0.");
  const slots = gauge("agent_slots", "How many agents may be alive at once.", ["kind"]);
  const calls = gauge("tool_calls", "Tool calls that this server handles.", ["state"]);
  const dashboards = gauge("dashboards", "Dashboards that are connected to this server.");
  const leader = gauge("server_leader", "Whether this server leads: 1 or 0.");
  return (metrics) => {
    build([{ labels: { version: metrics.version }, value: 1 }]);
    up([{ value: Number(metrics.stored !== null) }]);
    slots(samplesOf(metrics.slots, "kind"));
    calls([
      { labels: { state: "in_flight" }, value: metrics.calls.inFlight },
      { labels: { state: "held" }, value: metrics.calls.held },
    ]);
    dashboards([{ value: metrics.dashboards }]);
    leader([{ value: Number(metrics.isLeader) }]);
  };
}

/** What the database knows. While it does not answer, these metrics have no samples. */
function storedGauges(registry: Registry): (metrics: Metrics) => void {
  const gauge = (name: string, help: string, labels?: string[]) =>
    gaugeIn(registry, `kuromajutsu_${name}`, help, labels);
  const agents = gauge("agents", "Agents that have not ended, by state and runner.", [
    "state",
    "runner",
  ]);
  const queueAge = gauge(
    "agent_queue_age_seconds",
    "How long the oldest agent has waited for a slot; 0 if none waits.",
  );
  const tasks = gauge("tasks", "Tasks, by status.", ["status"]);
  const approvals = gauge("approvals_pending", "Approvals that wait for a person.");
  const approvalAge = gauge(
    "approval_age_seconds",
    "How long the oldest pending approval has waited; 0 if none is pending.",
  );
  const servers = gauge("servers", "Servers that share the database, this one included.");
  const deadJobs = gauge(
    "jobs_dead",
    "Jobs that were given up in the last 7 days and not tried again.",
    ["kind"],
  );
  return ({ stored, runners }) => {
    const each = (pick: (known: StoredMetrics) => readonly Sample[]) =>
      stored === null ? [] : pick(stored);
    agents(each((known) => agentSamples(known.agents, runners)));
    queueAge(each(({ queueAgeMs }) => [{ value: queueAgeMs / MS_PER_SECOND }]));
    tasks(each((known) => samplesOf(known.tasks, "status")));
    approvals(each((known) => [{ value: known.approvals }]));
    approvalAge(each(({ approvalAgeMs }) => [{ value: approvalAgeMs / MS_PER_SECOND }]));
    servers(each((known) => [{ value: known.servers }]));
    deadJobs(each((known) => deadSamples(known.deadJobs)));
  };
}

function poolGauges(registry: Registry): (metrics: Metrics) => void {
  const gauge = (name: string, help: string, labels?: string[]) =>
    gaugeIn(registry, `kuromajutsu_database_${name}`, help, labels);
  const open = gauge("connections", "Open connections of this server's pool.", ["state"]);
  const max = gauge("connections_max", "The most connections of this server's pool.");
  const waiting = gauge("queries_waiting", "Queries of this server that wait for a connection.");
  return ({ connections }) => {
    const each = (pick: (pool: ConnectionCounts) => readonly Sample[]) =>
      connections === null ? [] : pick(connections);
    open(each((pool) => samplesOf({ busy: pool.open - pool.idle, idle: pool.idle }, "state")));
    max(each((pool) => [{ value: pool.max }]));
    waiting(each((pool) => [{ value: pool.waiting }]));
  };
}

function samplesOf(values: Readonly<Record<string, number>>, label: string): readonly Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

/** Every kind has a sample, so that a query never finds a gap instead of a 0. */
function deadSamples(dead: DeadJobs): readonly Sample[] {
  const none = Object.fromEntries(JOB_KINDS.map((kind) => [kind, 0]));
  return samplesOf({ ...none, ...dead }, "kind");
}

function agentSamples(
  counts: readonly UnsettledCount[],
  runners: readonly string[],
): readonly Sample[] {
  const all = new Set([...runners, ...counts.map(({ runner }) => runner)]);
  return AGENT_STATES.flatMap((state) =>
    [...all].map((runner) => ({
      labels: { state, runner },
      value: counts
        .filter((count) => count.runner === runner && stateOf(count) === state)
        .reduce((sum, { agents }) => sum + agents, 0),
    })),
  );
}

function stateOf({ process, held }: UnsettledCount): string {
  return process === "waiting" && held ? "held" : process;
}
