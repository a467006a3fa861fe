import { expect, test, vi } from "vitest";
import { aPerson } from "../../../test/kit/approvals.ts";
import { aCore, aRole, ended, someProgress, type TestCore } from "../../../test/kit/core.ts";
import {
  anIsolatedAgent,
  launched,
  settled,
  workspaceOf,
} from "../../../test/kit/isolated-agents.ts";
import { aRepository, write, type TestRepository } from "../../../test/kit/repository.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { addComment } from "./add-comment.ts";
import { changeComment, deleteComment } from "./change-comment.ts";
import { sendBack } from "./send-back.ts";
import { viewChange } from "./view-change.ts";

const OPERATOR = aPerson("aoi");
const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}`);
const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;

/** A change of an agent of claude, which has ended with this conversation. */
async function aChange(core: TestCore, repository: TestRepository, sessionId: string | null) {
  core.installed.add("claude");
  const { agent, workspace } = await anIsolatedAgent(core, repository, { prompt: "税を足して" });
  write(workspace.path, { "tax.txt": text(LINES) });
  await core.observe(ended(agent.id, { progress: someProgress({ sessionId }) }));
  await vi.waitFor(
    async () => expect(await core.store.getAgent(agent.id)).toMatchObject({ process: "ended" }),
    30_000,
  );
  return { agent, workspace };
}

const aClaudeCore = () =>
  aCore({ runners: ["claude"], roles: [aRole({ runner: "claude", isolation: "auto" })] });

const comment = (core: TestCore, { id }: Agent, line: number, body: string) =>
  addComment(core, OPERATOR, {
    id,
    version: 1,
    path: "tax.txt",
    side: "new",
    line,
    endLine: null,
    body,
  });

test("an agent whose CLI can continue its conversation gets only the comments, with the lines they are about", async () => {
  const core = await aClaudeCore();
  const { agent, workspace } = await aChange(core, aRepository(), "talk");
  await comment(core, agent, 3, "四捨五入して");

  const sent = await sendBack(core, OPERATOR, { id: agent.id, version: 1, message: "急ぎで" });

  expect(sent).toMatchObject({ continuesConversation: true, comments: 1 });
  await launched(core, [{ id: sent.agentId }]);
  const launch = core.launches.find(({ agentId }) => agentId === sent.agentId);
  expect(launch).toMatchObject({ workingDirectory: workspace.path });
  expect(await core.store.getAgent(sent.agentId)).toMatchObject({
    resumeSession: "talk",
    workspaceId: workspace.id,
    workingDirectory: workspace.path,
  });
  const prompt = await core.store.getPrompt(sent.agentId);
  expect(prompt).toContain("急ぎで");
  expect(prompt).toContain("tax.txt:3\n```\nline 3\n```\n四捨五入して");
  expect(prompt).not.toContain("税を足して");
}, 60_000);

test("without a conversation a new agent on the same branch begins with a summary of it", async () => {
  const core = await aClaudeCore();
  const { agent, workspace } = await aChange(core, aRepository(), null);
  await comment(core, agent, 3, "四捨五入して");

  const sent = await sendBack(core, OPERATOR, { id: agent.id, version: 1, message: null });

  expect(sent).toMatchObject({ continuesConversation: false, comments: 1 });
  await launched(core, [{ id: sent.agentId }]);
  const next = await core.store.getAgent(sent.agentId);
  expect(next).toMatchObject({ resumeSession: null, workspaceId: workspace.id });
  const prompt = await core.store.getPrompt(sent.agentId);
  const { response } = (await core.store.getResult(agent.id)) ?? {};
  expect(response).not.toBe("");
  for (const part of ["税を足して", response, "- tax.txt", workspace.branch, "四捨五入して"]) {
    expect(prompt).toContain(part);
  }
  write(workspace.path, { "tax.txt": text(LINES.toSpliced(0, 0, "new line")) });
  await settled(core, { id: sent.agentId });
  expect(await workspaceOf(core, agent)).toMatchObject({ version: 2, branch: workspace.branch });
}, 60_000);

test("a comment follows its lines into the next version, is outdated without them, and is never dropped", async () => {
  const core = await aClaudeCore();
  const { agent, workspace } = await aChange(core, aRepository(), "talk");
  const stays = await comment(core, agent, 5, "残る");
  const goes = await comment(core, agent, 9, "消える");
  const unsent = await comment(core, agent, 1, "やめる");
  await deleteComment(core, OPERATOR, unsent.id);
  const { agentId } = await sendBack(core, OPERATOR, { id: agent.id, version: 1, message: null });
  await launched(core, [{ id: agentId }]);
  write(workspace.path, { "tax.txt": text(["first", "second", ...LINES.slice(0, 8)]) });
  await settled(core, { id: agentId });

  const { comments } = await viewChange(core, agentId);

  expect(comments.map((each) => [each.comment.id, each.comment.status, each.currentLine])).toEqual([
    [stays.id, "sent", 7],
    [goes.id, "sent", null],
  ]);
  await expect(
    changeComment(core, OPERATOR, { id: stays.id, body: "別の文" }),
  ).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
  await expect(deleteComment(core, OPERATOR, stays.id)).rejects.toMatchObject({
    code: "INVALID_ARGUMENTS",
  });
  expect(await changeComment(core, OPERATOR, { id: stays.id, status: "resolved" })).toMatchObject({
    status: "resolved",
    body: "残る",
  });
}, 60_000);
