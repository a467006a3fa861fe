import type { AgentStatus } from "../../../domain/agents/agent.ts";
import { codeSpan } from "../text/code.ts";
import { dateText } from "../text/date.ts";
import { mention } from "../text/mention.ts";
import { shortLine } from "../text/short-line.ts";
import { ACTIONS } from "./action-ids.ts";
import {
  actions,
  button,
  confirmation,
  context,
  divider,
  header,
  section,
  type CardBlock,
} from "./blocks.ts";
import { bold, lineSections } from "./lines.ts";
import { dashboardButton } from "./parts.ts";
import { GROUP_TEXTS } from "./texts/group-texts.ts";
import type {
  AgentLine,
  GroupEndedView,
  GroupRunningView,
  GroupStoppingView,
  GroupView,
} from "./views.ts";

const AGENT_EMOJI: Readonly<Record<AgentStatus, string>> = {
  queued: "⬜",
  running: "🔄",
  completed: "✅",
  failed: "❌",
  timedOut: "❌",
  cancelled: "⏹️",
  lost: "❌",
  resultReported: "✅",
};
const BROKEN: readonly AgentStatus[] = ["failed", "timedOut", "lost"];
const OPEN: readonly AgentStatus[] = ["queued", "running"];
const AGENTS_BUDGET = 7_000;
const MAX_DESCRIPTION = 500;
const MAX_NAME = 60;
const MAX_NOTE = 120;

export function groupBoardRunning(view: GroupRunningView): readonly CardBlock[] {
  const texts = GROUP_TEXTS[view.locale];
  const { stopValue } = view;
  const stop =
    stopValue === undefined
      ? undefined
      : button(texts.stop, ACTIONS.stopGroup, stopValue, {
          style: "danger",
          confirm: confirmation(texts.stopGroup),
        });
  return [
    header(texts.running),
    section(descriptionOf(view)),
    ...actions(stop, dashboardButton(view)),
    ...agentSections(view),
    divider,
    context(...countTexts(view), groupText(view)),
  ];
}

export function groupBoardStopping(view: GroupStoppingView): readonly CardBlock[] {
  const texts = GROUP_TEXTS[view.locale];
  const { by } = view;
  return [
    header(texts.stopping),
    section(descriptionOf(view)),
    ...agentSections(view),
    divider,
    context(
      by ? texts.stoppedBy(mention(by)) : texts.waitingForEnd,
      ...countTexts(view),
      groupText(view),
    ),
  ];
}

/** All agents have ended. */
export function groupBoardEnded(view: GroupEndedView): readonly CardBlock[] {
  const texts = GROUP_TEXTS[view.locale];
  const seconds = Math.round(view.elapsedMs / 1_000);
  return [
    header(texts[endOf(view)]),
    section(descriptionOf(view)),
    ...actions(dashboardButton(view)),
    ...agentSections(view),
    divider,
    context(...countTexts(view), texts.endedAt(seconds, dateText(view.endedAt)), groupText(view)),
  ];
}

export function endOf({ agents }: GroupView): "completed" | "failed" | "stopped" {
  if (agents.some(({ status }) => BROKEN.includes(status))) return "failed";
  return agents.some(({ status }) => status === "cancelled") ? "stopped" : "completed";
}

function descriptionOf({ locale, description, mode }: GroupView): string {
  const text = shortLine(description, MAX_DESCRIPTION);
  return `*${GROUP_TEXTS[locale].modes[mode]}* — ${text}`;
}

function agentSections(view: GroupView): readonly CardBlock[] {
  const current = view.agents.findIndex(({ status }) => OPEN.includes(status));
  const lines = view.agents.map((agent) => agentLine(view, agent));
  return lineSections(view, lines, AGENTS_BUDGET, current === -1 ? 0 : current);
}

function agentLine({ locale }: GroupView, { id, role, status, note }: AgentLine): string {
  const said = shortLine(note, MAX_NOTE, "") || GROUP_TEXTS[locale].statuses[status];
  return `${AGENT_EMOJI[status]} ${bold(role, MAX_NAME)} ${codeSpan(id.slice(id.lastIndexOf("-") + 1), MAX_NAME)} — ${said}`;
}

function countTexts({ locale, agents, stage, iteration }: GroupView): readonly string[] {
  const texts = GROUP_TEXTS[locale];
  const count = (...statuses: readonly AgentStatus[]) =>
    agents.filter(({ status }) => statuses.includes(status)).length;
  const running = count("running");
  const queued = count("queued");
  const broken = count(...BROKEN);
  return [
    [
      ...(stage ? [texts.stage(stage.current, stage.total)] : []),
      ...(iteration ? [texts.iteration(iteration.current, iteration.max)] : []),
      texts.counts(agents.length - running - queued, agents.length),
      ...(running > 0 ? [texts.working(running)] : []),
      ...(queued > 0 ? [texts.queued(queued)] : []),
      ...(broken > 0 ? [texts.broken(broken)] : []),
    ].join(" · "),
  ];
}

function groupText({ locale, groupId }: GroupView): string {
  return GROUP_TEXTS[locale].group(codeSpan(groupId, MAX_NAME));
}
