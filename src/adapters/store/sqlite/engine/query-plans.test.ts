import { DatabaseSync } from "node:sqlite";
import { type CompiledQuery, Kysely } from "kysely";
import { expect, test } from "vitest";
import { sharedByTests, whenDone } from "../../../../../test/kit/when-done.ts";
import type { Queries } from "../../../../app/ports/store.ts";
import { toCursor } from "../../sql/engine/cursor.ts";
import type { Tables } from "../../sql/engine/tables.ts";
import { createUnitOfWork } from "../../sql/engine/unit-of-work.ts";
import { MIGRATIONS } from "../migrations/migrations.ts";
import { createDialect } from "./dialect.ts";
import { migrate } from "./migrate.ts";

const cursor = toCursor({ at: 1, seq: 1 });
const mine = { limit: 50, groupId: "grp-1" } as const;
const statuses = ["failed", "timedOut", "lost"] as const;
const [role, runner, status] = ["impl-code", "cursor", "failed"] as const;
const decided = { limit: 50, statuses: ["approved", "expired"] } as const;
const pending = { limit: 50, statuses: ["pending"] } as const;
const on = { limit: 50, cursor } as const;
const times = { limit: 50, from: 1, until: 2 } as const;

test.each<[string, RegExp, (queries: Queries) => Promise<unknown>]>([
  ["getGroup", /autoindex_groups/, (it) => it.getGroup("x")],
  ["getAgent", /autoindex_agents/, (it) => it.getAgent("x")],
  ["getAgents", /autoindex_agents/, (it) => it.getAgents(["x", "y"])],
  ["getProgress", /autoindex_agent_progress/, (it) => it.getProgress("a-b-c")],
  ["getReport", /autoindex_agent_results/, (it) => it.getReport("a-b-c")],
  ["listAgents", /agents_in_view /, (it) => it.listAgents({ limit: 50 })],
  ["listAgents on", /agents_in_view /, (it) => it.listAgents({ limit: 50, cursor })],
  ["listAgents of a group", /agents_in_view_by_group /, (it) => it.listAgents({ ...mine, cursor })],
  [
    "listAgents by status",
    /agents_in_view_by_status/,
    (it) => it.listAgents({ limit: 50, statuses }),
  ],
  ["listGroupAgents", /agents_by_group /, (it) => it.listGroupAgents({ ...mine, cursor })],
  [
    "listAgents of a group by status",
    /agents_in_view_by_group_and_status/,
    (it) => it.listAgents({ ...mine, cursor, statuses }),
  ],
  ["listWaitingAgents", /agents_waiting/, (it) => it.listWaitingAgents("worker", 5, ["a-b-c"])],
  ["listWaitingOfRunners", /agents_waiting/, (it) => it.listWaitingOfRunners(["claude"])],
  ["listLiveAgents", /agents_live/, (it) => it.listLiveAgents()],
  [
    "listAgentsResuming",
    /agents_by_resumed_session/,
    (it) => it.listAgentsResuming("claude", "session"),
  ],
  ["listOpenSlackThreads", /slack_threads_open/, (it) => it.listOpenSlackThreads()],
  ["listUnsentSlackMessages", /slack_messages_unsent/, (it) => it.listUnsentSlackMessages(9)],
  ["listOpenSlackBoards", /slack_messages_open_boards/, (it) => it.listOpenSlackBoards()],
  ["countUnsettled", /agents_unsettled/, (it) => it.countUnsettled(mine.groupId)],
  ["countByProcess", /agents_waiting.*agents_live/, (it) => it.countByProcess()],
  ["countLive", /agents_live/, (it) => it.countLive()],
  ["listLabelsInUse", /agents_live/, (it) => it.listLabelsInUse()],
  ["listStageAgents", /agents_by_stage/, (it) => it.listStageAgents(mine.groupId, 1)],
  ["listUnsettledAgents", /agents_unsettled/, (it) => it.listUnsettledAgents(mine.groupId)],
  ["listChildGroups", /groups_by_parent/, (it) => it.listChildGroups(mine.groupId)],
  ["listUnfinishedPlans", /groups_unfinished/, (it) => it.listUnfinishedPlans()],
  [
    "listGroups that are active",
    /groups_active/,
    (it) => it.listGroups({ view: "active", limit: 50, cursor }),
  ],
  [
    "listGroups in view",
    /groups_in_view.*agents_in_view_by_group/,
    (it) => it.listGroups({ view: "all-in-view", limit: 50 }),
  ],
  ["listAgentsInView", /agents_in_view/, (it) => it.listAgentsInView(50)],
  ["listHistory", /INDEX history /, (it) => it.listHistory({ limit: 50 })],
  ["listHistory of a time", /INDEX history /, (it) => it.listHistory({ ...times, cursor })],
  ["listHistory of a group", /history_by_group/, (it) => it.listHistory({ ...mine, cursor })],
  ["listHistory of a role", /history_by_role /, (it) => it.listHistory({ ...times, role })],
  ["listHistory of a runner", /history_by_runner/, (it) => it.listHistory({ ...times, runner })],
  [
    "listHistory of a runner by status, the first ended first",
    /history_by_runner/,
    (it) => it.listHistory({ ...times, runner, status, cursor, order: "asc" }),
  ],
  [
    "listHistory, the first ended first",
    /INDEX history /,
    (it) => it.listHistory({ ...times, cursor, order: "asc" }),
  ],
  ["listHistory by status", /history_by_status/, (it) => it.listHistory({ ...times, status })],
  [
    "listHistory of a role by status",
    /history_by_role_and_status/,
    (it) => it.listHistory({ ...times, role, status, cursor }),
  ],
  [
    "listHistory of a group by everything",
    /history_by_group/,
    (it) => it.listHistory({ ...mine, ...times, role, status, cursor }),
  ],
  ["listUsage", /PRIMARY KEY/, (it) => it.listUsage("2026-11-01", "2026-11-30")],
  ["getNotification", /autoindex_notifications/, (it) => it.getNotification("ntf-1")],
  ["listOpenNotifications", /notifications_open/, (it) => it.listOpenNotifications("a-b-c")],
  ["listNotifications", /SCAN notifications/, (it) => it.listNotifications(undefined, 50)],
  [
    "listNotifications of an agent",
    /notifications_by_agent/,
    (it) => it.listNotifications("a-b-c", 50),
  ],
  ["listAlerts", /SCAN alerts/, (it) => it.listAlerts({ limit: 50 })],
  [
    "listAlerts by status",
    /alerts_by_status/,
    (it) => it.listAlerts({ statuses: ["failed"], limit: 50 }),
  ],
  [
    "listAlerts of a target",
    /alerts_by_target/,
    (it) => it.listAlerts({ target: "browser", limit: 50 }),
  ],
  ["listDueAlerts", /alerts_due /, (it) => it.listDueAlerts(1, 10)],
  ["listDueAlerts of a target", /alerts_due_by_target/, (it) => it.listDueAlerts(1, 10, "browser")],
  ["nextAlertDue", /alerts_due /, (it) => it.nextAlertDue(1)],
  ["nextAlertDue of a target", /alerts_due_by_target/, (it) => it.nextAlertDue(1, "browser")],
  ["getAlertCursor", /SCAN alert_cursor/, (it) => it.getAlertCursor()],
  ["getModels", /PRIMARY KEY/, (it) => it.getModels("cursor")],
  ["findAgentByTokenHash", /agents_token/, (it) => it.findAgentByTokenHash("x")],
  ["listEvents", /PRIMARY KEY/, (it) => it.listEvents(10, 10)],
  ["getTask", /autoindex_tasks/, (it) => it.getTask("x")],
  ["getTaskOfGroup", /tasks_by_group/, (it) => it.getTaskOfGroup(mine.groupId)],
  ["listTasks", /tasks_newest/, (it) => it.listTasks({ limit: 50, cursor })],
  ["listTasks with a text", /tasks_newest/, (it) => it.listTasks({ limit: 50, text: "x" })],
  [
    "listTasks by status with a text",
    /tasks_newest.*tasks_by_status/,
    (it) => it.listTasks({ limit: 50, text: "x", cursor, statuses: ["failed", "blocked"] }),
  ],
  ["getSchedule", /autoindex_schedules/, (it) => it.getSchedule("x")],
  ["nextScheduleDue", /schedules_due/, (it) => it.nextScheduleDue()],
  [
    "listScheduleRuns",
    /schedule_runs_of_schedule/,
    (it) => it.listScheduleRuns({ scheduleId: "x", limit: 50, cursor }),
  ],
  ["getScheduleRun", /autoindex_schedule_runs/, (it) => it.getScheduleRun("sch-1", 1)],
  [
    "listLastScheduleRuns",
    /SCAN schedules.*schedule_runs_of_schedule/,
    (it) => it.listLastScheduleRuns(),
  ],
  [
    "countOpenTasksOfSchedule",
    /tasks_open_of_schedule/,
    (it) => it.countOpenTasksOfSchedule("sch-1"),
  ],
  ["getWorkspace", /autoindex_workspaces/, (it) => it.getWorkspace("x")],
  ["getWorkspaces", /autoindex_workspaces/, (it) => it.getWorkspaces(["x", "y"])],
  ["listWorkspaces", /SEARCH workspaces USING INTEGER PRIMARY KEY/, (it) => it.listWorkspaces(on)],
  [
    "listWorkspaces of a group",
    /workspaces_by_group/,
    (it) => it.listWorkspaces({ ...on, groupId: "x", outcomes: ["open"] }),
  ],
  [
    "listWorkspaces of a task",
    /workspaces_by_task/,
    (it) => it.listWorkspaces({ ...on, taskId: "x", statuses: ["ready"] }),
  ],
  [
    "listWorkspaces by status",
    /workspaces_by_state .*outcome=\? AND status=\? AND rowid</,
    (it) => it.listWorkspaces({ ...on, statuses: ["ready", "captured"] }),
  ],
  [
    "listWorkspaces of a repository",
    /workspaces_by_repository /,
    (it) => it.listWorkspaces({ ...on, repository: "x" }),
  ],
  [
    "listWorkspaces of a repository by outcome",
    /workspaces_by_repository_and_state /,
    (it) => it.listWorkspaces({ ...on, repository: "x", outcomes: ["open", "merged"] }),
  ],
  ["listPresentWorkspaces", /workspaces_present/, (it) => it.listPresentWorkspaces()],
  ["listOpenWorkspaces", /SEARCH .*workspaces_open /, (it) => it.listOpenWorkspaces("x")],
  ["countOpenChanges", /workspaces_open/, (it) => it.countOpenChanges()],
  ["listLeasedPorts", /workspaces_with_ports/, (it) => it.listLeasedPorts()],
  ["listWritersIn", /agents_writers/, (it) => it.listWritersIn("/x")],
  ["listCapturing", /SCAN pending_ends/, (it) => it.listCapturing()],
  ["listVersions", /autoindex_change_versions/, (it) => it.listVersions("wsp-1")],
  ["getVersion", /autoindex_change_versions/, (it) => it.getVersion("wsp-1", 1)],
  ["listComments", /change_comments_by_workspace/, (it) => it.listComments("wsp-1")],
  ["getComment", /autoindex_change_comments/, (it) => it.getComment("x")],
  ["listOverlaps", /autoindex_workspace_overlaps/, (it) => it.listOverlaps()],
  [
    "listOverlapsOf",
    /autoindex_workspace_overlaps.*workspace_overlaps_by_second/,
    (it) => it.listOverlapsOf(["wsp-1", "wsp-2"]),
  ],
  ["getMerge", /autoindex_merges/, (it) => it.getMerge("x")],
  ["listMerges", /SCAN merges/, (it) => it.listMerges({ limit: 50 })],
  [
    "listMerges of a workspace",
    /merges_by_workspace/,
    (it) => it.listMerges({ ...on, workspaceId: "x", statuses: ["landed"] }),
  ],
  ["listMerges of a group", /merges_by_group/, (it) => it.listMerges({ ...on, groupId: "x" })],
  ["listMerges of a task", /merges_by_task/, (it) => it.listMerges({ ...on, taskId: "x" })],
  [
    "listMerges by status",
    /merges_by_status .*status=\? AND rowid</,
    (it) => it.listMerges({ ...on, statuses: ["landed", "conflicted"] }),
  ],
  ["listQueuedMerges", /merges_queued/, (it) => it.listQueuedMerges()],
  ["countTasks", /SCAN task_counts/, (it) => it.countTasks()],
  ["getPromptDraft", /autoindex_prompt_drafts/, (it) => it.getPromptDraft("x")],
  ["listPromptDrafts", /prompt_drafts_by_task/, (it) => it.listPromptDrafts("task-1")],
  ["getProcessDraft", /autoindex_process_drafts/, (it) => it.getProcessDraft("x")],
  ["listProcessDrafts", /process_drafts_by_task/, (it) => it.listProcessDrafts("task-1")],
  ["getExecution", /autoindex_executions/, (it) => it.getExecution("x")],
  ["listExecutions", /executions_by_task/, (it) => it.listExecutions("task-1")],
  ["getApproval", /autoindex_approvals/, (it) => it.getApproval("x")],
  ["listApprovals", /approvals_newest/, (it) => it.listApprovals({ limit: 50, cursor })],
  ["listApprovals that wait", /approvals_by_status/, (it) => it.listApprovals(pending)],
  [
    "listApprovals that wait, on",
    /approvals_by_status/,
    (it) => it.listApprovals({ ...pending, cursor }),
  ],
  ["listApprovals by status", /approvals_by_status/, (it) => it.listApprovals(decided)],
  [
    "listApprovals of a kind",
    /approvals_by_kind /,
    (it) => it.listApprovals({ limit: 50, kind: "step", cursor }),
  ],
  [
    "listApprovals of a kind by status",
    /approvals_by_kind_and_status/,
    (it) => it.listApprovals({ ...decided, kind: "step", cursor }),
  ],
  [
    "listApprovals of a task",
    /approvals_by_task/,
    (it) => it.listApprovals({ ...decided, taskId: "task-1", kind: "step", cursor }),
  ],
  [
    "listApprovals of an execution",
    /approvals_by_execution/,
    (it) => it.listApprovals({ ...pending, taskId: "task-1", executionId: "exe-1" }),
  ],
  [
    "listApprovals of an agent",
    /approvals_by_agent/,
    (it) => it.listApprovals({ ...pending, agentId: "a-b-c" }),
  ],
  ["countPendingApprovals", /approvals_by_status/, (it) => it.countPendingApprovals()],
  ["listApprovalsByBinding", /approvals_by_binding/, (it) => it.listApprovalsByBinding("x")],
  ["listDueApprovals", /approvals_due/, (it) => it.listDueApprovals(1, 10)],
  ["nextApprovalDue", /approvals_due/, (it) => it.nextApprovalDue()],
  ["getToolCall", /autoindex_tool_calls/, (it) => it.getToolCall("x")],
  ["listToolCalls", /tool_calls_by_execution/, (it) => it.listToolCalls("exe-1")],
  ["listTaskToolCalls", /tool_calls_by_task/, (it) => it.listTaskToolCalls("task-1")],
  ["listForwardedToolCalls", /tool_calls_forwarded/, (it) => it.listForwardedToolCalls()],
  ["getAgentCall", /autoindex_agent_calls/, (it) => it.getAgentCall("x")],
  ["listAgentCalls", /agent_calls_by_agent/, (it) => it.listAgentCalls("a-b-c")],
  ["listForwardedAgentCalls", /agent_calls_forwarded/, (it) => it.listForwardedAgentCalls()],
  ["listTaskAgents", /agents_by_task/, (it) => it.listTaskAgents("task-1")],
  [
    "listUnsettledTaskAgents",
    /agents_unsettled_by_task/,
    (it) => it.listUnsettledTaskAgents("task-1"),
  ],
  ["listStopNotifications", /notifications_stop/, (it) => it.listStopNotifications("a-b-c")],
  ["listAllStopNotifications", /notifications_stop/, (it) => it.listAllStopNotifications()],
  ["listTaskNotifications", /notifications_by_task/, (it) => it.listTaskNotifications("task-1")],
  ["listTaskEvents", /events_by_task/, (it) => it.listTaskEvents("task-1", 10, 10)],
  ["listToolPins", /SCAN tool_pins/, (it) => it.listToolPins()],
  ["listAudit", /PRIMARY KEY/, (it) => it.listAudit({ limit: 50, cursor })],
  [
    "listAudit of a subject",
    /audit_by_subject/,
    (it) => it.listAudit({ limit: 50, cursor, subject: "x", actor: "y" }),
  ],
  ["listAudit of an actor", /audit_by_actor/, (it) => it.listAudit({ limit: 50, actor: "y" })],
  ["listAuditAfter", /PRIMARY KEY/, (it) => it.listAuditAfter(10, 10)],
  ["getSignIn", /PRIMARY KEY/, (it) => it.getSignIn("x")],
  ["getIdempotencyRecord", /PRIMARY KEY|keyed_requests_1/, (it) => it.getIdempotencyRecord("x")],
  ["lastEventSeq", /SEARCH events/, (it) => it.lastEventSeq()],
])("%s walks its index, sorts nothing and reads no history", async (_, index, ask) => {
  const plan = await planOf(ask);

  expect(plan.join(" ")).toMatch(index);
  expect(plan.filter(costsHistory)).toEqual([]);
});

test.each<[string, RegExp, (unit: Unit) => Promise<unknown>]>([
  ["a group's usage reads its agents", /history_by_group/, (it) => it.listGroupUsage(mine.groupId)],
  [
    "shrinking the view reads what is in view",
    /groups_leaving.*agents_in_view_by_group/,
    (it) => it.shrinkView(20),
  ],
  ["approvals for one screen", /approvals_by_status/, (it) => it.listOpenApprovals(200)],
  ["counting by runner", /agents_(token|unsettled)/, (it) => it.countUnsettledByRunner()],
  ["unfinished tasks", /tasks_unfinished.*executions_open/, (it) => it.listUnfinishedTasks()],
  [
    "an entry of the audit reads the last one",
    /SCAN audit/,
    (it) => it.appendAudit({ at: 1, actor: "a", action: "b", subject: "c", data: {} }),
  ],
  [
    "replacing overlaps reads those of the workspace",
    /autoindex_workspace_overlaps.*workspace_overlaps_by_second/,
    (it) => it.putOverlaps("wsp-1", []),
  ],
  ["ending what has expired", /sign_ins_by_expiry/, (it) => it.deleteSignInsExpiredAt(1)],
  ["forgetting old keys", /keyed_requests_by_age/, (it) => it.deleteIdempotencyRecordsBefore(1)],
  [
    "purging reads what goes",
    /agents_past_view.*autoindex_workspaces.*tasks_past.*agents_by_task.*approvals_past.*groups_past.*groups_by_parent.*alerts_past.*schedule_runs_past.*slack_messages_past/,
    (it) => it.purgeHistory(1, 100),
  ],
])("%s and no more", async (_, indexes, ask) => {
  const plan = await planOf(ask);

  expect(plan.join(" ")).toMatch(indexes);
  expect(plan.filter(readsHistory)).toEqual([]);
});

/** Indexes that hold nothing that is over, and what is read in order until the page is full. */
const CHEAP_SCANS =
  /INDEX (agents_(waiting|live|newest|in_view|token|unsettled)|groups_(in_view|leaving|unfinished)|tasks_(newest|unfinished)|executions_open|approvals_newest|tool_calls_forwarded|agent_calls_forwarded|notifications_stop|slack_(threads_open|messages_unsent|messages_open_boards)|workspaces_(present|open|with_ports)|merges_queued|sqlite_autoindex_workspace_overlaps_1) ?|schedules_due|sqlite_autoindex_schedules_1|(events|notifications|alerts|alert_cursor|audit|task_counts|tool_pins|schedules|merges|pending_ends)$|json_each|CONSTANT ROW|\(subquery-\d+\)$|^SCAN pending$/;

function costsHistory(step: string): boolean {
  return step.includes("TEMP B-TREE") || readsHistory(step);
}

function readsHistory(step: string): boolean {
  return step.startsWith("SCAN") && !CHEAP_SCANS.test(step);
}

type Unit = ReturnType<typeof createUnitOfWork>;

/** An empty database, migrated once, with the queries that it was asked. */
const migrated = sharedByTests(async () => {
  const database = new DatabaseSync(":memory:");
  whenDone(() => database.close());
  const asked: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: createDialect(database, "begin"),
    log: ({ query }) => {
      asked.push(query);
    },
  });
  await migrate(db, MIGRATIONS, ":memory:");
  return { database, db, asked };
});

async function planOf(ask: (unit: Unit) => Promise<unknown>): Promise<readonly string[]> {
  const { database, db, asked } = await migrated();
  asked.length = 0;
  database.exec("begin");
  await ask(createUnitOfWork((work) => work(db)));
  database.exec("rollback");
  return asked.flatMap(({ sql }) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all()
      .map((row) => String(row["detail"])),
  );
}
