import { afterAgentSettled } from "../agents/after-agent-settled.ts";
import type { Core } from "../core.ts";
import type { JobKind, RunJob } from "../ports/jobs.ts";
import { releaseAnsweredStage } from "../workspaces/release-answered-stage.ts";
import { JOB_EVENTS, jobsOfEvent } from "./jobs-of-event.ts";

/** Idempotent; an id whose row is gone needs nothing. */
const HANDLERS: Readonly<Record<JobKind, (core: Core, id: string) => Promise<void>>> = {
  agent_settled: afterAgentSettled,
  question_answered: releaseAnsweredStage,
  task_due: (core, id) => core.advanceTask(id),
};

export function startJobs(core: Core): () => Promise<void> {
  return runJobs(core, ({ kind, id }) => HANDLERS[kind](core, id));
}

/** Runs the jobs of committed events. Returns a function that ends it; it waits for running jobs. */
export function runJobs(
  { jobs, events }: Pick<Core, "jobs" | "events">,
  run: RunJob,
): () => Promise<void> {
  const end = jobs.start(run);
  const unsubscribe = events.onOwn(JOB_EVENTS, (event) => {
    for (const job of jobsOfEvent(event)) jobs.runSoon(job);
  });
  return () => {
    unsubscribe();
    return end();
  };
}
