import { stripVTControlCharacters } from "node:util";
import { getAgent, getTranscript } from "../../../contract/routes/agents.ts";
import { getApproval } from "../../../contract/routes/approvals.ts";
import { getGroup } from "../../../contract/routes/groups.ts";
import { getTask } from "../../../contract/routes/tasks.ts";
import { createStreamReader } from "../../../contract/transcript/read-stream.ts";
import { visibleLine, visiblePreview } from "../../../contract/visible-text.ts";
import { widthOf, wrapColumns } from "../screen/columns.ts";
import type { Style } from "../screen/style.ts";
import { renderTable } from "../screen/table.ts";
import { agentTable, fieldLines } from "../terminal/agent-commands.ts";
import { FLEET_TEXTS } from "../terminal/fleet-texts.ts";
import { approvalLines } from "../terminal/render-approval.ts";
import {
  progressLine,
  renderEnd,
  renderProcess,
  renderPrompt,
  stepLines,
} from "../terminal/render-task.ts";
import { addressOf, type Face } from "../terminal/session.ts";
import { entryLines } from "../terminal/transcript-lines.ts";
import type { Row } from "./fleet.ts";
import { WATCH_TEXTS } from "./watch-texts.ts";

/** The end of the output of an agent's CLI that is shown. */
const TAIL_BYTES = 262_144;

/** The lines of the detail view of a row. */
export async function readDetail(face: Face, row: Row, columns: number): Promise<string[]> {
  const width = columns - 2;
  const lines = await linesOf(face, row, width);
  // A line that has to be wrapped loses its colours, which could be cut in the middle.
  return lines.flatMap((line) =>
    widthOf(line) <= width ? [line] : [...wrapColumns(stripVTControlCharacters(line), width)],
  );
}

function linesOf(face: Face, row: Row, width: number): Promise<readonly string[]> {
  switch (row.kind) {
    case "approval":
      return approvalDetail(face, row.id, width);
    case "task":
      return taskDetail(face, row.id);
    case "group":
      return groupDetail(face, row.id, width);
    case "agent":
      return agentDetail(face, row.id);
  }
}

async function approvalDetail(face: Face, id: string, width: number): Promise<readonly string[]> {
  const { api, console, texts } = face;
  const { style } = console;
  const approval = await api.call(getApproval, { params: { id } });
  const fitted = approvalLines(approval, { texts, style, width });
  // What is approved is never cut: a table that is too wide is followed by its rows as a whole.
  const whole = fitted.isWhole
    ? []
    : ["", ...approvalLines(approval, { texts, style, width: undefined }).lines];
  const choices = approval.choices.map((choice, index) => `${index + 1}. ${visibleLine(choice)}`);
  return [
    `${texts.asks[approval.kind]} ${style.bold(visibleLine(approval.title))}`,
    link(style, addressOf(api, "approvals", id)),
    "",
    ...fitted.lines,
    ...whole,
    ...(approval.kind === "question" && choices.length > 0
      ? ["", WATCH_TEXTS[texts.locale].choices, ...choices]
      : []),
  ];
}

async function taskDetail({ api, console, texts }: Face, id: string): Promise<readonly string[]> {
  const { style } = console;
  const task = await api.call(getTask, { params: { id } });
  const address = addressOf(api, "tasks", id);
  const isOver = ["completed", "failed", "cancelled"].includes(task.status);
  const steps = stepLines(task, texts).map(({ line }) => line);
  const parts = [
    `${style.bold(texts.task[task.status])}  ${visiblePreview(task.title ?? task.request)}`,
    task.status === "blocked"
      ? texts.blockedBy(visibleLine(task.statusBy ?? ""), visiblePreview(task.statusReason ?? ""))
      : "",
    renderPrompt(task, texts),
    steps.length > 0
      ? [...steps, progressLine(task, texts)].join("\n")
      : renderProcess(task, texts),
    isOver ? renderEnd(task, { texts, style, files: [], address }) : link(style, address),
  ];
  return parts.filter(Boolean).join("\n\n").split("\n");
}

async function groupDetail(face: Face, id: string, width: number): Promise<readonly string[]> {
  const { api, console } = face;
  const texts = FLEET_TEXTS[face.texts.locale];
  const group = await api.call(getGroup, { params: { id } });
  const { style } = console;
  return [
    ...fieldLines(
      [
        [texts.id, group.groupId],
        [texts.status, texts.group[group.status]],
        [texts.kind, texts.mode[group.mode]],
        [texts.description, visiblePreview(group.description)],
      ],
      style,
    ).split("\n"),
    link(style, addressOf(api, "groups", id)),
    "",
    ...renderTable(agentTable(group.agents, texts), { width, style }).lines,
  ];
}

async function agentDetail({ api, console, texts }: Face, id: string): Promise<readonly string[]> {
  const { style } = console;
  const params = { id };
  const agent = await api.call(getAgent, { params });
  const { size } = await api.call(getTranscript, { params, query: { maxBytes: 1_024 } });
  const reader = createStreamReader("");
  for (let offset = Math.max(0, size - TAIL_BYTES); ;) {
    const page = await api.call(getTranscript, { params, query: { offset, maxBytes: TAIL_BYTES } });
    reader.push(page.lines);
    if (page.nextOffset === offset) break;
    offset = page.nextOffset;
  }
  const fleet = FLEET_TEXTS[texts.locale];
  return [
    `${style.bold(visibleLine(agent.role))}  ${fleet.agent[agent.status]}  ${agent.agentId}`,
    link(style, addressOf(api, "agents", id)),
    "",
    ...reader.entries.flatMap((entry) => entryLines(entry, { style, locale: texts.locale })),
  ];
}

function link({ dim, link: to }: Style, address: string): string {
  return dim(to(address, address));
}
