import * as contract from "../../../contract/routes/changes.ts";
import { listOverlaps } from "../../../contract/routes/workspaces.ts";
import type { WireOverlap, WireWorkspace } from "../../../contract/shapes/workspaces.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import { ageText } from "../screen/duration.ts";
import { CHANGE_TEXTS } from "./change-texts.ts";
import { commentPlace } from "./comment-place.ts";
import { findingChange, readWorkspaces } from "./find-change.ts";
import { printJson, printTable } from "./print-list.ts";
import { changeLines } from "./render-change.ts";
import { patchLines } from "./render-patch.ts";
import { addressOf, type Face } from "./session.ts";

export type ListChanges = {
  readonly group: string | undefined;
  readonly task: string | undefined;
  readonly all: boolean;
  readonly json: boolean;
};

/** `kuromajutsu changes` */
export async function listChanges(face: Face, input: ListChanges): Promise<number> {
  const { api, console, program, texts } = face;
  const answer = await readWorkspaces(api, {
    groupId: input.group,
    taskId: input.task,
    outcome: input.all ? undefined : "open",
  });
  if (input.json) return printJson(console, answer);
  const { overlaps } = await api.call(listOverlaps, {});
  const own = CHANGE_TEXTS[texts.locale];
  const view = { locale: texts.locale, all: input.all, now: Date.now() };
  return printTable(console, {
    ...changeTable(answer.workspaces, overlaps, view),
    none: input.all ? own.none : own.noOpen(program),
  });
}

type TableView = { readonly locale: Locale; readonly all: boolean; readonly now: number };

export function changeTable(
  workspaces: readonly WireWorkspace[],
  overlaps: readonly WireOverlap[],
  { locale, all, now }: TableView,
) {
  const { headings, outcome, status, overlapCounts } = CHANGE_TEXTS[locale];
  const countsOf = ({ workspaceId }: WireWorkspace) => {
    const of = overlaps.filter(
      (each) => each.workspaceId === workspaceId || each.otherWorkspaceId === workspaceId,
    );
    const conflicts = of.filter(({ level }) => level === "conflict").length;
    return overlapCounts(conflicts, of.length - conflicts);
  };
  return {
    headings: [
      headings.agent,
      all ? headings.outcome : headings.status,
      headings.files,
      headings.lines,
      headings.target,
      headings.overlaps,
      headings.age,
      headings.branch,
    ],
    uncut: [0],
    rows: workspaces.map((workspace) => [
      workspace.agentId,
      all ? outcome[workspace.outcome] : status[workspace.status],
      String(workspace.files),
      `+${workspace.added} −${workspace.removed}`,
      workspace.target === null ? "" : visibleLine(workspace.target),
      countsOf(workspace),
      ageText(now - Date.parse(workspace.capturedAt ?? workspace.createdAt), locale),
      visibleLine(workspace.branch),
    ]),
  };
}

/** `kuromajutsu changes <agent|workspace>` */
export async function showChange(face: Face, id: string, json: boolean): Promise<number> {
  const { api, console, texts } = face;
  const change = await readChange(face, id);
  if (json) return printJson(console, change);
  const { style } = console;
  const address = `${addressOf(api, "agents", change.workspace.agentId)}?tab=changes`;
  const page = [texts.dashboard, style.link(address, address)] as const;
  console.print(changeLines(change, { locale: texts.locale, style, page }));
  return 0;
}

function readChange(face: Face, id: string) {
  return findingChange(face, id, () => face.api.call(contract.getChange, { params: { id } }));
}

/** `kuromajutsu changes <agent|workspace> --patch [path]` */
export async function printPatch(
  face: Face,
  id: string,
  { path, json }: { readonly path: string | true; readonly json: boolean },
): Promise<number> {
  const { api, console } = face;
  const { files } = await readChange(face, id);
  const read = (each: string) =>
    api.call(contract.getChangedFile, { params: { id }, query: { path: each } });
  if (path !== true && json) return printJson(console, await read(path));
  const paths = path === true ? files.map((file) => file.path) : [path];
  const patches = [];
  for (const each of paths) {
    const file = await read(each);
    if (json) patches.push(file);
    else console.print(patchText(face, file));
  }
  return json ? printJson(console, patches) : 0;
}

type FilePatch = {
  readonly path: string;
  readonly patch: string | null;
  readonly reason?: "binary" | "too_long" | undefined;
};

function patchText({ console, texts }: Face, { path, patch, reason }: FilePatch): string {
  const { style } = console;
  if (patch !== null) return patchLines(patch, style).join("\n");
  const why = CHANGE_TEXTS[texts.locale].noPatch[reason ?? "binary"];
  return `${style.bold(visibleLine(path))}\n${why}`;
}

type AddComment = {
  readonly comment: string;
  readonly text: string | undefined;
  readonly json: boolean;
};

/** `kuromajutsu changes <agent|workspace> --comment path:line "…"` */
export async function addComment(face: Face, id: string, input: AddComment): Promise<void> {
  const { api, console, program } = face;
  const own = CHANGE_TEXTS[face.texts.locale];
  if (!input.text?.trim()) throw new Error(own.textNeeded(program, id, visibleLine(input.comment)));
  const { workspace, files } = await readChange(face, id);
  const comment = await api.call(contract.addComment, {
    params: { id },
    body: {
      // A change without a version is refused with the reason.
      version: Math.max(workspace.version, 1),
      ...commentPlace(input.comment, files),
      body: input.text,
    },
  });
  if (input.json) printJson(console, comment);
  else console.print(own.commented(program, id, visibleLine(input.comment)));
}

/** `kuromajutsu changes <agent|workspace> --send-back ["…"]` */
export async function sendBack(
  face: Face,
  id: string,
  { text, json }: { readonly text: string | true; readonly json: boolean },
): Promise<number> {
  const { api, console } = face;
  const { workspace } = await readChange(face, id);
  const sent = await api.call(contract.sendBack, {
    params: { id },
    body: { version: Math.max(workspace.version, 1), ...(text !== true && { message: text }) },
  });
  if (json) return printJson(console, sent);
  const own = CHANGE_TEXTS[face.texts.locale];
  const address = addressOf(api, "agents", sent.agentId);
  console.print(
    [
      own.sentBack(sent.comments),
      own.worksNow(sent.agentId),
      ...(sent.continuesConversation ? [] : [own.newConversation]),
      console.style.link(address, address),
    ].join("\n"),
  );
  return 0;
}

type OfOneChange = {
  readonly patch: string | true | undefined;
  readonly comment: string | undefined;
  readonly sendBack: string | true | undefined;
};

/** `--patch ID` takes the id for a path, so the sentence shows the order. */
export function refuseWithoutId({ program, texts }: Face, input: OfOneChange): void {
  const { idNeeded } = CHANGE_TEXTS[texts.locale];
  if (input.patch !== undefined) throw new Error(idNeeded(program, "--patch"));
  if (input.comment !== undefined) throw new Error(idNeeded(program, "--comment"));
  if (input.sendBack !== undefined) throw new Error(idNeeded(program, "--send-back"));
}

/** A text without `--comment` would be ignored silently. */
export function refuseText({ program, texts }: Face, id: string, text: string | undefined): void {
  if (text !== undefined) throw new Error(CHANGE_TEXTS[texts.locale].textNotExpected(program, id));
}
