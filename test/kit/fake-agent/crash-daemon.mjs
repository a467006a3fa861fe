// A minimal daemon for crash tests: works through plan.json with ten agents at a
// time, commits by appending one line per batch to journal.jsonl, and ends when all is done.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSupervisor } from "../../../src/adapters/supervisor/supervisor.ts";
import { NO_PROGRESS } from "../../../src/domain/agents/progress.ts";
import { fakeRunner } from "./fake-runner.ts";

const ALIVE_AT_ONCE = 10;
const [, , dir, launcher, fakeAgent] = process.argv;
const plan = JSON.parse(readFileSync(join(dir, "plan.json"), "utf8"));
const journal = join(dir, "journal.jsonl");
const rows = new Map();

function apply({ type, agentId, attempt, ...rest }) {
  if (type === "intent")
    return rows.set(agentId, { attempt, state: "starting", progress: NO_PROGRESS });
  const row = rows.get(agentId);
  if (row.attempt !== attempt) throw new Error(`${agentId}: ${type} of attempt ${attempt}`);
  if (type === "started") {
    const { pid, pidStart: start, bootId } = rest;
    rows.set(agentId, { ...row, state: "alive", process: { pid, start, bootId } });
  }
  if (type === "progress") rows.set(agentId, { ...row, ...rest });
  if (type === "ended" || type === "not_launched")
    rows.set(agentId, { ...row, ...rest, state: type });
  if (type === "start_failed") throw new Error(rest.error);
}

function commit(batch) {
  appendFileSync(journal, `${JSON.stringify(batch)}\n`);
  batch.forEach(apply);
}

const say = (level) => (message, fields) => {
  if (level === "error")
    appendFileSync(join(dir, "errors"), `${message} ${fields?.error?.stack}\n`);
};

const supervisor = createSupervisor({
  spoolDir: join(dir, "spool"),
  launcher: { command: [process.execPath, launcher] },
  runners: () => fakeRunner,
  observe: async (batch) => {
    commit(batch);
    if (batch.some(({ type }) => type === "ended" || type === "not_launched")) setImmediate(fill);
  },
  log: { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") },
  clock: Date,
  commitEveryMs: 20,
  startMs: 1_000,
});

function fill() {
  let alive = [...rows.values()].filter(
    ({ state }) => state === "starting" || state === "alive",
  ).length;
  for (const { agentId, script } of plan) {
    const row = rows.get(agentId);
    if (alive >= ALIVE_AT_ONCE) return;
    if (row && row.state !== "not_launched") continue;
    const attempt = (row?.attempt ?? 0) + 1;
    alive += 1;
    commit([{ type: "intent", agentId, attempt }]);
    const env = { PATH: process.env.PATH, KUROMAJUTSU_AGENT_ID: agentId };
    const command = { argv: [fakeAgent, ...script], env, stdin: "go" };
    const place = { runner: "rehearsal", workingDirectory: "/", progress: NO_PROGRESS };
    void supervisor.launch({ agentId, attempt, command, ...place });
  }
  if (alive === 0) void supervisor.close().then(() => process.exit(0));
}

const lines = existsSync(journal) ? readFileSync(journal, "utf8").split("\n") : [];
for (const line of lines) if (line !== "") JSON.parse(line).forEach(apply);
for (const [agentId, { attempt, state, progress, process: identity = null }] of rows) {
  if (state !== "starting" && state !== "alive") continue;
  supervisor.adopt({
    agentId,
    attempt,
    runner: "rehearsal",
    progress,
    startedAt: 0,
    workingDirectory: "/",
    process: identity,
  });
}
fill();
