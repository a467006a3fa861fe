import { describe, onTestFinished } from "vitest";
import type { Store } from "../../src/app/ports/store.ts";
import { agentCalls } from "./store/agent-calls.ts";
import { alerts } from "./store/alerts.ts";
import { approvals } from "./store/approvals.ts";
import { atOnce } from "./store/at-once.ts";
import { audit } from "./store/audit.ts";
import { capturing } from "./store/capturing.ts";
import { changes } from "./store/changes.ts";
import { committing } from "./store/committing.ts";
import { deciding } from "./store/deciding.ts";
import { draftsAndExecutions } from "./store/drafts-and-executions.ts";
import { healthAndModels } from "./store/health-and-models.ts";
import { history } from "./store/history.ts";
import { idempotencyKeys } from "./store/idempotency-keys.ts";
import { keeping } from "./store/keeping.ts";
import type { Writers } from "./store/kit.ts";
import { listedGroups } from "./store/listed-groups.ts";
import { merges } from "./store/merges.ts";
import { notifications } from "./store/notifications.ts";
import { paging } from "./store/paging.ts";
import { pinsAndSignIns } from "./store/pins-and-sign-ins.ts";
import { publishing } from "./store/publishing.ts";
import { purging } from "./store/purging.ts";
import { queueing } from "./store/queueing.ts";
import { racing } from "./store/racing.ts";
import { readingAgain } from "./store/reading-again.ts";
import { recording } from "./store/recording.ts";
import { schedules } from "./store/schedules.ts";
import { slack } from "./store/slack.ts";
import { stagesAndChildren } from "./store/stages-and-children.ts";
import { taskPurging } from "./store/task-purging.ts";
import { tasks } from "./store/tasks.ts";
import { templates } from "./store/templates.ts";
import { toolCalls } from "./store/tool-calls.ts";
import { usage } from "./store/usage.ts";
import { view } from "./store/view.ts";
import { workspaces } from "./store/workspaces.ts";

/** The contract of every store. `open` returns an empty one. */
export function storeContract(
  name: string,
  open: () => Promise<Store>,
  writers: Writers = "one",
): void {
  const aStore = async (): Promise<Store> => {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  };

  describe(`${name} stores and returns rows unchanged`, () => {
    keeping(aStore, writers);
  });
  describe(`${name} commits together or not at all`, () => {
    committing(aStore);
  });
  describe(`${name} never returns stale rows`, () => {
    readingAgain(aStore);
  });
  describe(`${name} detects concurrent updates`, () => {
    racing(aStore);
  });
  describe(`${name} lets units decide by what they have read`, () => {
    deciding(aStore);
  });
  describe(`${name} keeps what Slack sent and what it shows`, () => {
    slack(aStore);
  });
  describe(`${name} lists agents in pages`, () => {
    paging(aStore);
  });
  describe(`${name} lists waiting and living agents`, () => {
    queueing(aStore);
  });
  describe(`${name} lists the agents of stages and the children of groups`, () => {
    stagesAndChildren(aStore);
  });
  describe(`${name} lists groups in pages`, () => {
    listedGroups(aStore);
  });
  describe(`${name} limits which agents are in view`, () => {
    view(aStore);
  });
  describe(`${name} lists the history of agents`, () => {
    history(aStore);
  });
  describe(`${name} purges old agents and events`, () => {
    purging(aStore);
  });
  describe(`${name} adds up tokens`, () => {
    usage(aStore);
  });
  describe(`${name} keeps notifications`, () => {
    notifications(aStore);
  });
  describe(`${name} keeps alerts`, () => {
    alerts(aStore);
  });
  describe(`${name} keeps schedules`, () => {
    schedules(aStore);
  });
  describe(`${name} keeps saved templates`, () => {
    templates(aStore);
  });
  describe(`${name} keeps workspaces`, () => {
    workspaces(aStore);
  });
  describe(`${name} keeps changes`, () => {
    changes(aStore);
  });
  describe(`${name} keeps merges`, () => {
    merges(aStore);
  });
  describe(`${name} keeps agents whose change is being captured`, () => {
    capturing(aStore);
  });
  describe(`${name} keeps health and models`, () => {
    healthAndModels(aStore);
  });
  describe(`${name} keeps tasks`, () => {
    tasks(aStore);
  });
  describe(`${name} keeps drafts and executions`, () => {
    draftsAndExecutions(aStore);
  });
  describe(`${name} keeps approvals`, () => {
    approvals(aStore);
  });
  describe(`${name} keeps tool calls`, () => {
    toolCalls(aStore);
    agentCalls(aStore);
  });
  describe(`${name} chains audit entries by hash`, () => {
    audit(aStore);
  });
  describe(`${name} keeps pins and sign-ins`, () => {
    pinsAndSignIns(aStore);
    idempotencyKeys(aStore);
  });
  describe(`${name} purges old tasks`, () => {
    taskPurging(aStore);
  });
  describe(`${name} runs many transactions at once`, () => {
    atOnce(aStore, writers);
    publishing(aStore, writers);
  });
  describe(`${name} keeps events in order`, () => {
    recording(aStore);
  });
}
