import * as contract from "../../../contract/routes/groups.ts";
import type { WireGroup } from "../../../contract/shapes/groups.ts";
import { visiblePreview } from "../../../contract/visible-text.ts";
import { renderTable } from "../screen/table.ts";
import { agentTable, fieldLines } from "./agent-commands.ts";
import { askYesNo } from "./ask-yes-no.ts";
import { FLEET_TEXTS, type FleetTexts } from "./fleet-texts.ts";
import { localTime } from "./local-time.ts";
import { printJson, printTable } from "./print-list.ts";
import { addressOf, type Face, type Session } from "./session.ts";
import { suggestingIds } from "./suggest-id.ts";

/** `kuromajutsu groups` */
export async function listGroups(face: Face, all: boolean, json: boolean): Promise<number> {
  const { api, console } = face;
  const query = { view: all ? ("all-in-view" as const) : ("active" as const) };
  const answer = await api.call(contract.listGroups, { query });
  if (json) return printJson(console, answer);
  const texts = FLEET_TEXTS[face.texts.locale];
  return printTable(console, {
    headings: [texts.id, texts.status, texts.kind, texts.created, texts.description],
    uncut: [0],
    rows: answer.groups.map((group) => [
      group.groupId,
      texts.group[group.status],
      kindOf(group, texts),
      localTime(group.createdAt),
      visiblePreview(group.description),
    ]),
    none: all ? texts.noGroups : texts.noActiveGroups(face.program),
  });
}

function kindOf({ mode, stages }: WireGroup, texts: FleetTexts): string {
  return stages
    ? `${texts.mode[mode]} (${texts.stage(Math.min(stages.current + 1, stages.total), stages.total)})`
    : texts.mode[mode];
}

/** `kuromajutsu groups <id>` */
export async function showGroup(face: Face, id: string, json: boolean): Promise<number> {
  const { api, console } = face;
  const group = await findGroup(face, id);
  if (json) return printJson(console, group);
  const texts = FLEET_TEXTS[face.texts.locale];
  const address = addressOf(api, "groups", id);
  const width = console.canRedraw ? console.size().columns : undefined;
  const more = group.totalAgents - group.agents.length;
  console.print(
    [
      fieldLines(
        [
          [texts.id, group.groupId],
          [texts.status, texts.group[group.status]],
          [texts.kind, kindOf(group, texts)],
          [texts.created, localTime(group.createdAt)],
          [texts.description, visiblePreview(group.description)],
          [texts.agents, String(group.totalAgents)],
          [face.texts.dashboard, console.style.link(address, address)],
        ],
        console.style,
      ),
      ...(group.agents.length === 0
        ? []
        : [
            "",
            ...renderTable(agentTable(group.agents, texts), { width, style: console.style }).lines,
          ]),
      ...(more > 0 ? [texts.moreAgents(more)] : []),
    ].join("\n"),
  );
  return 0;
}

/** `kuromajutsu groups <id> stop` */
export async function stopGroup(session: Session, id: string): Promise<number> {
  const { api, console, approvesAll } = session;
  const texts = FLEET_TEXTS[session.texts.locale];
  const { agents } = await findGroup(session, id);
  const live = agents.filter(({ status }) => status === "running" || status === "queued").length;
  if (live > 0 && console.isInteractive && !approvesAll) {
    if (!(await askYesNo(console, texts.askStop(live), texts.locale))) {
      console.print(session.texts.unchanged);
      return 3;
    }
  }
  const { stopping } = await api.call(contract.stopGroup, { params: { id } });
  console.print(stopping.length === 0 ? texts.nothingToStop : texts.stopping(stopping.length));
  return 0;
}

function findGroup({ api, texts }: Face, id: string) {
  const known = async () =>
    (await api.call(contract.listGroups, { query: { limit: "500" } })).groups.map(
      ({ groupId }) => groupId,
    );
  return suggestingIds(texts.locale, { id, code: "GROUP_NOT_FOUND", known }, () =>
    api.call(contract.getGroup, { params: { id } }),
  );
}
