import { oneLine } from "../read-prompt.ts";
import type { Report, Run } from "../run.ts";
import { adviceSoFar, isGivenUp, updateLedger } from "./advice.ts";
import {
  availableRoles,
  CallFailed,
  createGroup,
  readOutcome,
  startAgents,
  waitForAll,
} from "./fleet.ts";
import { describe, type AgentOutcome, type AgentRequest, type Iteration } from "./iteration.ts";
import { isSatisfied, progressLedger, taskLedger } from "./ledgers.ts";
import { delegates, readPlan, type Plan } from "./plan.ts";
import { requestsFor } from "./requests.ts";

const DESCRIPTION_CHARS = 200;

/** The play: delegates, waits, evaluates, replans, and answers the report to make of it. */
export async function orchestrate(run: Run): Promise<Report> {
  const past: Iteration[] = [];
  try {
    return await iterate(run, await completePlan(run), past);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    run.stream.say(`リハーサル: これ以上は任せません: ${error.message}`);
    const why =
      error.code === "MAX_ITERATIONS_REACHED"
        ? "反復の上限に達したので、任せるのをやめました"
        : "任せ続けられなくなりました";
    return { status: "failure", summary: `${why} (${error.message})。${story(past)}` };
  }
}

async function iterate(run: Run, plan: Plan, past: Iteration[]): Promise<Report> {
  const ofLedger = new Set<string>();
  const adviceNow = () => adviceSoFar(run, [...ofLedger]);
  async function write(withProgress: boolean): Promise<void> {
    if (!plan.keepsLedger) return;
    const task = taskLedger(plan, past, adviceNow());
    const progress = withProgress ? { progress: progressLedger(plan, past) } : {};
    for (const advice of await updateLedger(run, { task, ...progress })) ofLedger.add(advice);
  }

  await write(false);
  const groupId = await createGroup(run, `リハーサル: ${oneLine(plan.task, DESCRIPTION_CHARS)}`);
  run.diary.events.push(`グループ: ${groupId}`);
  while (past.length < plan.iterations) {
    const iteration = await delegate(run, groupId, requestsFor(plan, past, adviceNow()), past);
    past.push(iteration);
    run.diary.events.push(...lines(iteration));
    await write(true);
    if (isGivenUp(adviceNow())) {
      return { status: "failure", summary: `人の判断が必要だと言われて止めました。${story(past)}` };
    }
  }
  return isSatisfied(plan, past)
    ? { status: "success", summary: `モデルには何も尋ねていません。${story(past)}` }
    : { status: "failure", summary: `最後の反復が成功しませんでした。${story(past)}` };
}

async function delegate(
  run: Run,
  groupId: string,
  requests: readonly AgentRequest[],
  past: readonly Iteration[],
): Promise<Iteration> {
  const number = past.length + 1;
  const roles = requests.map(({ role }) => role).join("、");
  run.stream.say(`リハーサル: 反復 ${number}: ${roles} に任せます。`);
  const known = new Set(past.flatMap(({ outcomes }) => outcomes.map(({ agentId }) => agentId)));
  const agentIds = await startAgents(run, groupId, requests, known);
  await waitForAll(run, agentIds);
  const outcomes: AgentOutcome[] = [];
  for (const agentId of agentIds) outcomes.push(await readOutcome(run, agentId));
  const iteration = { number, requests, outcomes };
  run.stream.say(`リハーサル: ${describe(iteration)}`);
  return iteration;
}

async function completePlan(run: Run): Promise<Plan> {
  const plan = readPlan(run.read);
  if (plan.roles.length > 0) return plan;
  const roles = delegates(await availableRoles(run));
  if (roles.length > 0) return { ...plan, roles };
  throw new CallFailed("list_roles", { fields: {}, text: "任せられる職種がありません。" });
}

function story(past: readonly Iteration[]): string {
  const each = past.map(describe).join(" / ");
  return `反復は ${past.length} 回です${each === "" ? "" : ` (${each})`}。`;
}

function lines(iteration: Iteration): readonly string[] {
  return [
    describe(iteration),
    ...iteration.outcomes.map(({ agentId, summary }) => `${agentId} の結果: ${summary}`),
  ];
}
