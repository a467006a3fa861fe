import { listAgents } from "../../../contract/routes/agents.ts";
import { listApprovals } from "../../../contract/routes/approvals.ts";
import { listGroups } from "../../../contract/routes/groups.ts";
import { listTasks } from "../../../contract/routes/tasks.ts";
import { listTemplates } from "../../../contract/routes/templates.ts";
import { listWorkspaces } from "../../../contract/routes/workspaces.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { oneLine } from "../../../domain/text/one-line.ts";
import type { Cli } from "../cli.ts";
import { COMMANDS } from "../commands.ts";
import { type Api, createApi } from "../terminal/api.ts";
import { beginning, type Candidate, completeWords, type IdKind } from "./complete-words.ts";

/** A shell that waits longer feels broken. */
const WITHIN_MS = 700;

/**
 * Prints what the last word could become, one per line, with a tab before the explanation. It never
 * starts a daemon and never fails: without an answer there are only fewer suggestions.
 */
export async function printCompletions(words: readonly string[], cli: Cli): Promise<number> {
  const { candidates, ids } = completeWords(words, COMMANDS, await cli.locale());
  const timeout = new Promise<readonly Candidate[]>((resolve) => {
    setTimeout(resolve, WITHIN_MS, []).unref();
  });
  const found =
    ids === undefined ? [] : await Promise.race([idsFrom(cli, ids).catch(() => []), timeout]);
  const all = [...candidates, ...beginning(found, words.at(-1) ?? "")];
  process.stdout.write(
    all.map(({ value, text }) => `${value}\t${visibleLine(oneLine(text))}\n`).join(""),
  );
  // A request that is still open must not keep the shell waiting.
  process.exit(0);
}

async function idsFrom(cli: Cli, kind: IdKind): Promise<readonly Candidate[]> {
  const url = (await cli.daemon().ask("status"))?.url;
  if (!url) return [];
  const token = process.env["KUROMAJUTSU_TOKEN"] || undefined;
  return READ[kind](createApi(url, { token, locale: await cli.locale() }));
}

const READ: Record<IdKind, (api: Api) => Promise<readonly Candidate[]>> = {
  tasks: async (api) =>
    (await api.call(listTasks, { query: {} })).tasks.map(({ taskId, title, request }) => ({
      value: taskId,
      text: title ?? request,
    })),
  approvals: async (api) =>
    (await api.call(listApprovals, { query: { status: "pending" } })).approvals.map(
      ({ approvalId, title }) => ({ value: approvalId, text: title }),
    ),
  agents: async (api) =>
    (await api.call(listAgents, { query: {} })).agents.map(({ agentId, status }) => ({
      value: agentId,
      text: status,
    })),
  groups: async (api) =>
    (await api.call(listGroups, { query: {} })).groups.map(({ groupId, description }) => ({
      value: groupId,
      text: description,
    })),
  changes: async (api) =>
    (await api.call(listWorkspaces, { query: { outcome: "open" } })).workspaces.map(
      ({ agentId, branch }) => ({ value: agentId, text: branch }),
    ),
  workspaces: async (api) =>
    (await api.call(listWorkspaces, { query: {} })).workspaces
      .filter(({ status }) => status !== "retired")
      .map(({ workspaceId, agentId }) => ({ value: workspaceId, text: agentId })),
  templates: async (api) =>
    (await api.call(listTemplates)).templates.map(({ id, name }) => ({ value: id, text: name.en })),
};
