import { oneLine } from "../read-prompt.ts";
import type { Report, Run } from "../run.ts";
import type { RehearsalTexts } from "../texts.ts";
import { adviceSoFar, isGivenUp, updateLedger } from "./advice.ts";
import {
  availableRoles,
  CallFailed,
  createGroup,
  readResult,
  startAgents,
  waitForAll,
} from "./fleet.ts";
import { describe, type SubAgentResult, type AgentRequest, type Iteration } from "./iteration.ts";
import { isSatisfied, progressLedger, taskLedger } from "./ledgers.ts";
import { delegates, readPlan, type Plan } from "./plan.ts";
import { requestsFor } from "./requests.ts";

const DESCRIPTION_CHARS = 200;

/** Delegates, waits, evaluates and replans; returns the report. */
export async function orchestrate(run: Run): Promise<Report> {
  const { texts } = run;
  const past: Iteration[] = [];
  try {
    return await iterate(run, await completePlan(run), past);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    run.stream.say(texts.simulated(texts.noMore(error.message)));
    const why = error.code === "MAX_ITERATIONS_REACHED" ? texts.limitReached : texts.cannotGoOn;
    const summary = texts.failedBecause(why, error.message, story(past, texts));
    return { status: "failure", summary };
  }
}

async function iterate(run: Run, plan: Plan, past: Iteration[]): Promise<Report> {
  const { texts } = run;
  const ofLedger = new Set<string>();
  const adviceNow = () => adviceSoFar(run, [...ofLedger]);
  async function write(withProgress: boolean): Promise<void> {
    if (!plan.keepsLedger) return;
    const task = taskLedger(plan, past, adviceNow(), texts);
    const progress = withProgress ? { progress: progressLedger(plan, past, texts) } : {};
    for (const advice of await updateLedger(run, { task, ...progress })) ofLedger.add(advice);
  }

  await write(false);
  const groupId = await createGroup(run, texts.simulated(oneLine(plan.task, DESCRIPTION_CHARS)));
  run.diary.events.push(texts.group(groupId));
  while (past.length < plan.iterations) {
    const requests = requestsFor(plan, past, adviceNow(), texts);
    const iteration = await delegate(run, groupId, requests, past);
    past.push(iteration);
    run.diary.events.push(...lines(iteration, texts));
    await write(true);
    if (isGivenUp(adviceNow())) {
      return { status: "failure", summary: texts.leftToPerson(story(past, texts)) };
    }
  }
  return isSatisfied(plan, past)
    ? { status: "success", summary: texts.succeeded(story(past, texts)) }
    : { status: "failure", summary: texts.lastFailed(story(past, texts)) };
}

async function delegate(
  run: Run,
  groupId: string,
  requests: readonly AgentRequest[],
  past: readonly Iteration[],
): Promise<Iteration> {
  const { texts } = run;
  const number = past.length + 1;
  const roles = texts.list(requests.map(({ role }) => role));
  run.stream.say(texts.simulated(texts.delegating(number, roles)));
  const known = new Set(past.flatMap(({ results }) => results.map(({ agentId }) => agentId)));
  const agentIds = await startAgents(run, groupId, requests, known);
  await waitForAll(run, agentIds);
  const results: SubAgentResult[] = [];
  for (const agentId of agentIds) results.push(await readResult(run, agentId));
  const iteration = { number, requests, results };
  run.stream.say(texts.simulated(describe(iteration, texts)));
  return iteration;
}

async function completePlan(run: Run): Promise<Plan> {
  const plan = readPlan(run.read);
  if (plan.roles.length > 0) return plan;
  const roles = delegates(await availableRoles(run));
  if (roles.length > 0) return { ...plan, roles };
  throw new CallFailed(run, "list_roles", { fields: {}, text: run.texts.noRoles });
}

function story(past: readonly Iteration[], texts: RehearsalTexts): string {
  return texts.story(past.length, past.map((each) => describe(each, texts)).join(" / "));
}

function lines(iteration: Iteration, texts: RehearsalTexts): readonly string[] {
  return [
    describe(iteration, texts),
    ...iteration.results.map(({ agentId, summary }) => texts.resultOf(agentId, summary)),
  ];
}
