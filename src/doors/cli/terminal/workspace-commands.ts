import * as contract from "../../../contract/routes/workspaces.ts";
import { sizeText } from "../../../contract/size-text.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { ageText } from "../screen/duration.ts";
import { CHANGE_TEXTS } from "./change-texts.ts";
import { findingChange, readWorkspaces } from "./find-change.ts";
import { printJson, printTable } from "./print-list.ts";
import type { Face } from "./session.ts";

/** `kuromajutsu workspaces` */
export async function listWorkspaces(
  face: Face,
  { all, json }: { readonly all: boolean; readonly json: boolean },
): Promise<number> {
  const { api, console, texts } = face;
  const answer = await readWorkspaces(api, {});
  const workspaces = answer.workspaces.filter(({ status }) => all || status !== "retired");
  if (json) return printJson(console, { ...answer, workspaces });
  const own = CHANGE_TEXTS[texts.locale];
  const { headings } = own;
  const now = Date.now();
  printTable(console, {
    headings: [
      headings.id,
      headings.status,
      headings.outcome,
      headings.size,
      headings.age,
      headings.agent,
      headings.directory,
    ],
    uncut: [0],
    rows: workspaces.map((workspace) => [
      workspace.workspaceId,
      own.status[workspace.status],
      own.outcome[workspace.outcome],
      workspace.diskBytes === null ? "" : sizeText(workspace.diskBytes),
      ageText(now - Date.parse(workspace.createdAt), texts.locale),
      workspace.agentId,
      visibleLine(workspace.path),
    ]),
    none: own.noWorkspaces,
  });
  const { diskBytes, maxBytes } = answer;
  if (workspaces.length > 0) {
    console.print(own.disk(sizeText(diskBytes), maxBytes === null ? null : sizeText(maxBytes)));
  }
  return 0;
}

/** `kuromajutsu workspaces --retire <id>` */
export async function retireWorkspace(face: Face, id: string, json: boolean): Promise<number> {
  const { api, console, texts } = face;
  const workspace = await findingChange(face, id, () =>
    api.call(contract.retireWorkspace, { params: { id } }),
  );
  if (json) return printJson(console, workspace);
  console.print(CHANGE_TEXTS[texts.locale].retired(workspace.workspaceId));
  return 0;
}
