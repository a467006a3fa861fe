import { visibleLine, visiblePreview } from "../../../contract/visible-text.ts";
import { fitColumns, padColumns, padColumnsStart, widthOf } from "../screen/columns.ts";
import { runningText } from "../screen/duration.ts";
import type { Size } from "../screen/live-block.ts";
import type { Style } from "../screen/style.ts";
import { doingNow } from "../terminal/agent-commands.ts";
import type { FleetTexts } from "../terminal/fleet-texts.ts";
import type { TerminalTexts } from "../terminal/terminal-texts.ts";
import { isLive, type Row, rowsOf, taskOf } from "./fleet.ts";
import { selectedRow, type WatchState } from "./watch-state.ts";
import type { WatchTexts } from "./watch-texts.ts";

export type WatchView = {
  readonly size: Size;
  readonly style: Style;
  readonly now: number;
  readonly watch: WatchTexts;
  readonly fleet: FleetTexts;
  readonly terminal: TerminalTexts;
};

/** Heading, line below it, line above the keys, and the keys. */
export const FRAME_ROWS = 4;
const NARROWEST = 20;

/** The whole screen, one line per row of the terminal. */
export function renderWatch(state: WatchState, view: WatchView): readonly string[] {
  const { size, style, watch } = view;
  if (size.rows <= FRAME_ROWS || size.columns < NARROWEST) return [watch.tooSmall];
  const body = bodyLines(state, view);
  const room = size.rows - FRAME_ROWS;
  const rule = style.dim("─".repeat(size.columns - 1));
  const filled = Array.from({ length: room }, (_, row) => body[row] ?? "");
  return [heading(state, view), rule, ...filled, rule, footer(state, view)].map((line) =>
    fitColumns(line, size.columns - 1),
  );
}

function heading(state: WatchState, { style, watch, size, now }: WatchView): string {
  const { connection, fleet } = state;
  const light = {
    connecting: style.yellow(`○ ${watch.connecting}`),
    live: style.green(`● ${watch.live}`),
    lost: style.red(`○ ${watch.lost}`),
  }[connection];
  const agents = fleet?.agents ?? [];
  const counts = watch.counts(
    agents.filter(({ status }) => status === "running").length,
    agents.filter(({ status }) => status === "queued").length,
    fleet?.pendingApprovals ?? 0,
  );
  const left = `${style.bold("Kuromajutsu")}  ${light}  ${counts}`;
  const clock = new Date(now).toTimeString().slice(0, 8);
  const gap = size.columns - 1 - widthOf(left) - clock.length;
  return gap < 2 ? left : `${left}${" ".repeat(gap)}${style.dim(clock)}`;
}

function footer({ asking, message, view: at }: WatchState, view: WatchView): string {
  const { style, watch } = view;
  if (message !== "") return style.yellow(message);
  if (asking?.kind === "confirm") return style.bold(asking.question);
  if (asking) {
    return `${style.bold(asking.question)}${visibleLine(asking.text)}▏ ${style.dim(watch.inputKeys)}`;
  }
  return style.dim(at === "detail" ? watch.detailKeys : watch.keys);
}

function bodyLines(state: WatchState, view: WatchView): readonly string[] {
  const { watch, size } = view;
  const room = size.rows - FRAME_ROWS;
  if (state.view === "help") return watch.help;
  if (state.view === "detail") {
    if (!state.detail) return [watch.loading];
    return windowed(state.detail, state.scroll, room, view);
  }
  if (!state.fleet) return [watch.loading];
  const lines = listLines(state, view);
  if (lines.length === 0) return [watch.nothing];
  const at = lines.findIndex(({ isSelected }) => isSelected);
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), lines.length - room));
  return windowed(
    lines.map(({ line }) => line),
    from,
    room,
    view,
  );
}

/** The last line says how much is below. */
function windowed(
  lines: readonly string[],
  from: number,
  room: number,
  { style, watch }: WatchView,
): readonly string[] {
  const below = lines.length - from - room;
  if (below <= 0) return lines.slice(from, from + room);
  return [...lines.slice(from, from + room - 1), style.dim(watch.more(below + 1))];
}

type Line = { readonly line: string; readonly isSelected: boolean };

function listLines(state: WatchState, view: WatchView): readonly Line[] {
  const { style, watch } = view;
  const rows = state.fleet ? rowsOf(state.fleet) : [];
  const chosen = selectedRow(state)?.id;
  const lines: Line[] = [];
  let section = "";
  for (const row of rows) {
    const heads = {
      approval: style.yellow(watch.approvals(state.fleet?.pendingApprovals ?? 0)),
      task: style.bold(watch.tasks),
      group: style.bold(watch.groups),
      agent: style.bold(watch.groups),
    };
    const head = heads[row.kind];
    if (head !== section) lines.push({ line: head, isSelected: false });
    section = head;
    const isSelected = row.id === chosen;
    const line = rowLine(row, state, view);
    lines.push({ line: isSelected ? selectedLine(line, view) : `  ${line}`, isSelected });
  }
  return lines;
}

function selectedLine(line: string, { style, size }: WatchView): string {
  const width = size.columns - 1;
  // oxlint-disable-next-line no-control-regex -- colours inside an inverted line are hard to read
  const plain = line.replaceAll(/\u001B\[[0-9;]*m/g, "");
  return style.inverse(padColumns(fitColumns(`▸ ${plain}`, width), width));
}

/** Columns at the right stay in line: the title takes what is left. */
function rowLine(row: Row, state: WatchState, view: WatchView): string {
  const { fleet, terminal, style, now } = view;
  const { locale } = terminal;
  switch (row.kind) {
    case "approval": {
      const { kind, title, createdAt } = row.approval;
      const waited = runningText(now - Date.parse(createdAt), locale);
      return spread(
        [padColumns(style.yellow(terminal.kinds[kind]), 16), visibleLine(title)],
        waited,
        view,
      );
    }
    case "task": {
      const { status, title, request, createdAt, endedAt } = row.task;
      const until = endedAt === null ? now : Date.parse(endedAt);
      return spread(
        [
          padColumns(paintTask(status, style)(terminal.task[status]), 22),
          visiblePreview(title ?? request),
        ],
        runningText(until - Date.parse(createdAt), locale),
        view,
      );
    }
    case "group": {
      const { mode, description } = row.group;
      const task = state.fleet && taskOf(row, state.fleet);
      const name = task?.title ?? description;
      const right = view.watch.members(row.count);
      return spread([style.cyan(fleet.mode[mode]), visiblePreview(name)], right, view);
    }
    case "agent":
      return agentLine(row.agent, state, view);
  }
}

function agentLine(
  agent: Extract<Row, { kind: "agent" }>["agent"],
  state: WatchState,
  view: WatchView,
): string {
  const { fleet, style, now, terminal } = view;
  const elapsed = agent.elapsed_ms + (agent.status === "running" ? now - state.readAt : 0);
  const tokens = agent.usage ? compact(agent.usage.inputTokens + agent.usage.outputTokens) : "";
  const paint = isLive(agent)
    ? style.cyan
    : agent.status === "failed" || agent.status === "timedOut" || agent.status === "lost"
      ? style.red
      : style.dim;
  const right = `${padColumnsStart(tokens, 6)} ${padColumnsStart(runningText(elapsed, terminal.locale), 12)}`;
  const left = [
    `  ${padColumns(fitColumns(visibleLine(agent.role), 16), 16)}`,
    padColumns(paint(fleet.agent[agent.status]), 10),
    style.dim(doingNow(agent)),
  ];
  return spread(left, right, view);
}

function spread(left: readonly string[], right: string, { size, style }: WatchView): string {
  const room = size.columns - 4 - widthOf(right) - 1;
  const text = fitColumns(left.join("  "), room);
  return `${padColumns(text, room)} ${style.dim(right)}`;
}

function paintTask(status: string, style: Style): (text: string) => string {
  if (status === "completed") return style.green;
  if (status === "failed") return style.red;
  return status === "blocked" || status.startsWith("awaiting") ? style.yellow : style.cyan;
}

function compact(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000
    ? `${(count / 1_000).toFixed(1)}k`
    : `${(count / 1_000_000).toFixed(1)}M`;
}
