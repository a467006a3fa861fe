import { reasonIn } from "../../../contract/reason-texts.ts";
import * as contract from "../../../contract/routes/agents.ts";
import type { AgentCard } from "../../../contract/shapes/agents.ts";
import { visibleLine, visiblePreview, visibleText } from "../../../contract/visible-text.ts";
import type { AgentStatus } from "../../../domain/agents/agent.ts";
import { padColumns, widthOf } from "../screen/columns.ts";
import { durationText, runningText } from "../screen/duration.ts";
import type { Style } from "../screen/style.ts";
import { askYesNo } from "./ask-yes-no.ts";
import { FLEET_TEXTS, type FleetTexts } from "./fleet-texts.ts";
import { printJson, printTable } from "./print-list.ts";
import { addressOf, type Face, type Session } from "./session.ts";
import { suggestingIds } from "./suggest-id.ts";

export type ListAgents = {
  readonly group: string | undefined;
  readonly status: AgentStatus | undefined;
  readonly json: boolean;
};

/** `kuromajutsu agents` */
export async function listAgents(face: Face, { group, status, json }: ListAgents): Promise<number> {
  const { api, console } = face;
  const query = { ...(group && { groupId: group }), ...(status && { status }) };
  const answer = await api.call(contract.listAgents, { query });
  if (json) return printJson(console, answer);
  return printTable(console, agentTable(answer.agents, FLEET_TEXTS[face.texts.locale]));
}

export function agentTable(agents: readonly AgentCard[], texts: FleetTexts) {
  return {
    headings: [texts.id, texts.status, texts.role, texts.elapsed, texts.tools, texts.lastMessage],
    uncut: [0],
    rows: agents.map((agent) => [
      agent.agentId,
      texts.agent[agent.status],
      visibleLine(agent.role),
      runningText(agent.elapsed_ms, texts.locale),
      String(agent.toolCallCount),
      doingNow(agent),
    ]),
    none: texts.noAgents,
  };
}

/** What it does now, or what it said last. */
export function doingNow({ currentTool, lastMessage, waitingFor }: AgentCard): string {
  if (waitingFor !== undefined) return visiblePreview(waitingFor);
  if (currentTool) return visibleLine(`→ ${currentTool.name}`);
  return visiblePreview(lastMessage.trim().split("\n").at(-1) ?? "");
}

/** `kuromajutsu agents <id>` */
export async function showAgent(face: Face, id: string, json: boolean): Promise<number> {
  const { api, console } = face;
  const agent = await findingAgent(face, id, () => api.call(contract.getAgent, { params: { id } }));
  if (json) return printJson(console, agent);
  const texts = FLEET_TEXTS[face.texts.locale];
  const { progress, result } = agent;
  const tokens = progress.usage && progress.usage.inputTokens + progress.usage.outputTokens;
  const files = [...progress.createdFiles, ...progress.editedFiles];
  const address = addressOf(api, "agents", id);
  const fields: readonly (readonly [string, string])[] = [
    [texts.id, agent.agentId],
    [texts.status, texts.agent[agent.status]],
    [texts.role, visibleLine(agent.role)],
    [texts.runner, `${visibleLine(agent.runner)} (${visibleLine(agent.model)})`],
    [texts.group1, agent.groupId],
    [texts.directory, visibleLine(agent.workingDirectory)],
    [texts.elapsed, durationText(agent.elapsed_ms, texts.locale)],
    [texts.tools, String(agent.toolCallCount)],
    [texts.tokens, tokens === null ? "" : String(tokens)],
    [texts.currentTool, agent.currentTool ? visibleLine(agent.currentTool.name) : ""],
    [texts.prompt, visiblePreview(agent.prompt)],
    [texts.lastMessage, result ? "" : doingNow(agent)],
    [texts.files, files.map(visibleLine).join(", ")],
    [texts.result, result ? visibleText(result.summary) : ""],
    [
      texts.error,
      result?.errorMessage ? visibleText(reasonIn(result.errorMessage, face.texts.locale)) : "",
    ],
    [face.texts.dashboard, console.style.link(address, address)],
  ];
  console.print(fieldLines(fields, console.style));
  return 0;
}

/** Fields without a value are left out. */
export function fieldLines(
  fields: readonly (readonly [string, string])[],
  { dim }: Pick<Style, "dim">,
): string {
  const shown = fields.filter(([, value]) => value !== "");
  const width = Math.max(...shown.map(([name]) => widthOf(name)));
  return shown.map(([name, value]) => `${dim(padColumns(name, width))}  ${value}`).join("\n");
}

/** `kuromajutsu agents <id> stop` */
export async function stopAgent(session: Session, id: string): Promise<number> {
  const { api, console, approvesAll } = session;
  const texts = FLEET_TEXTS[session.texts.locale];
  const agent = await findingAgent(session, id, () =>
    api.call(contract.getAgent, { params: { id } }),
  );
  const isLive = agent.status === "running" || agent.status === "queued";
  if (isLive && console.isInteractive && !approvesAll) {
    if (!(await askYesNo(console, texts.askStop(1), texts.locale))) {
      console.print(session.texts.unchanged);
      return 3;
    }
  }
  const { stopping } = await api.call(contract.cancelAgent, { params: { id } });
  console.print(stopping.length === 0 ? texts.nothingToStop : texts.stopping(stopping.length));
  return 0;
}

/** `kuromajutsu agents <id> message "…"` */
export async function messageAgent(
  face: Face,
  id: string,
  text: string | undefined,
): Promise<number> {
  const texts = FLEET_TEXTS[face.texts.locale];
  if (!text?.trim()) throw new Error(texts.messageNeeded(face.program, id));
  await findingAgent(face, id, () =>
    face.api.call(contract.sendMessage, { params: { id }, body: { text } }),
  );
  face.console.print(texts.messageSent(id));
  return 0;
}

export function findingAgent<Answer>(
  { api, texts }: Face,
  id: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const known = async () =>
    (await api.call(contract.listAgents, { query: { limit: "1000" } })).agents.map(
      ({ agentId }) => agentId,
    );
  return suggestingIds(texts.locale, { id, code: "AGENT_NOT_FOUND", known }, work);
}
