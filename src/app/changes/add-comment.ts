import type { ChangeComment } from "../../domain/changes/change.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core, Identity } from "../core.ts";
import { requirePerson } from "../people/require-person.ts";
import { requireChangeHere } from "../workspaces/place-of-change.ts";
import { requireOpenChange, requireWorkspace } from "../workspaces/require-workspace.ts";
import { emitCommented } from "./comment-event.ts";
import { linesOf, requireVersion } from "./view-change.ts";

export type AddComment = Pick<
  ChangeComment,
  "version" | "path" | "side" | "line" | "endLine" | "body"
> & { readonly id: string };

const MAX_LINES = 200;
const MAX_DRAFTS = 500;

/** A comment is a draft until the change is sent back. */
export async function addComment(
  core: Core,
  identity: Identity,
  input: AddComment,
): Promise<ChangeComment> {
  const person = requirePerson(identity, "operator");
  const workspace = await requireWorkspace(core.store, input.id);
  requireOpenChange(workspace);
  const { version, path, side, line, endLine, body } = input;
  const comment: ChangeComment = {
    id: `cmt-${core.random.ulid(core.clock.now())}`,
    workspaceId: workspace.id,
    version,
    path,
    side,
    line,
    endLine: line === null ? null : (endLine ?? line),
    quote: await quoteOf(core, workspace, input),
    body,
    author: person.id,
    status: "draft",
    createdAt: core.clock.now(),
    sentAt: null,
    sentTo: null,
    revision: 1,
  };
  await core.store.transaction(async (unit) => {
    const known = await unit.listComments(workspace.id);
    if (known.filter(({ status }) => status === "draft").length >= MAX_DRAFTS) throw tooMany();
    await unit.insertComment(comment);
    await emitCommented(core, unit, workspace, comment, person.id);
  });
  return comment;
}

/** The commented lines, read from git: what a person sees is what the agent gets. */
async function quoteOf(
  core: Core,
  workspace: Workspace,
  { version: wanted, path, side, line, endLine }: AddComment,
): Promise<string> {
  const versions = await core.store.listVersions(workspace.id);
  const version = requireVersion(workspace, versions, wanted);
  if (!version) throw wrongLines(path, line ?? 1);
  if (line === null || side === null) return "";
  await requireChangeHere(core, workspace);
  const commit = side === "old" ? version.base : version.commit;
  const content = await linesOf(core, workspace.repository, commit, path);
  const last = endLine ?? line;
  if (!content || last < line || last > content.length || last - line >= MAX_LINES) {
    throw wrongLines(path, line);
  }
  return content.slice(line - 1, last).join("\n");
}

function wrongLines(path: string, line: number): Refusal {
  return new Refusal("INVALID_ARGUMENTS", {
    en: [
      `${path} has no such lines (from ${line}) in this version, or they are more than ${MAX_LINES}.`,
      "Choose lines of the version that you see.",
    ],
    ja: [
      `このバージョンの ${path} にその行（${line} 行目から）がないか、${MAX_LINES} 行を超えています。`,
      "表示しているバージョンの行を選んでください。",
    ],
  });
}

function tooMany(): Refusal {
  return new Refusal("TOO_MANY_OPEN", {
    en: [`There are ${MAX_DRAFTS} comments that were not sent.`, "Send the change back first."],
    ja: [`送っていないコメントが ${MAX_DRAFTS} 件あります。`, "先に差し戻してください。"],
  });
}
