import * as changes from "../../../contract/routes/changes.ts";
import * as contract from "../../../contract/routes/merges.ts";
import type { WireMerge } from "../../../contract/shapes/merges.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { mergeProblemText } from "../../../domain/merges/merge-problem.ts";
import type { MergeMode } from "../../../domain/merges/merge.ts";
import { findingChange } from "./find-change.ts";
import { localTime } from "./local-time.ts";
import { MERGE_TEXTS } from "./merge-texts.ts";
import { printJson, printTable } from "./print-list.ts";
import { addressOf, type Face } from "./session.ts";

export type AskMerge = {
  readonly target?: string | undefined;
  readonly mode?: MergeMode | undefined;
  readonly message?: string | undefined;
  readonly intoCheckout: boolean;
  readonly json: boolean;
};

/** `kuromajutsu merge <agent|workspace>`: asks for the approval of the newest version. */
export async function askMerge(face: Face, id: string, input: AskMerge): Promise<number> {
  const { api, console, program } = face;
  const params = { id };
  const { workspace } = await findingChange(face, id, () =>
    api.call(changes.getChange, { params }),
  );
  const { target, mode, message, intoCheckout } = input;
  const merge = await api.call(changes.requestMerge, {
    params,
    body: {
      // A change without a version is refused with the reason.
      version: Math.max(workspace.version, 1),
      intoCheckout,
      ...(target !== undefined && { target }),
      ...(mode && { mode }),
      ...(message !== undefined && { message }),
    },
  });
  if (input.json) return printJson(console, merge);
  const texts = MERGE_TEXTS[face.texts.locale];
  const approvalId = merge.approvalId ?? "";
  const address = addressOf(api, "approvals", approvalId);
  console.print(
    [
      texts.asked(merge.mergeId),
      texts.into(merge.agentId, merge.version, visibleLine(merge.target), merge.mode),
      texts.files(workspace.files, workspace.added, workspace.removed),
      texts.waits(program, approvalId),
      console.style.link(address, address),
    ].join("\n"),
  );
  return 0;
}

/** `kuromajutsu merges` */
export async function listMerges(face: Face, json: boolean): Promise<number> {
  const { api, console } = face;
  const answer = await api.call(contract.listMerges, { query: {} });
  if (json) return printJson(console, answer);
  const texts = MERGE_TEXTS[face.texts.locale];
  const { headings } = texts;
  return printTable(console, {
    headings: [
      headings.id,
      headings.status,
      headings.agent,
      headings.target,
      headings.created,
      headings.problem,
    ],
    uncut: [0],
    rows: answer.merges.map((merge) => [
      merge.mergeId,
      texts.status[merge.status],
      merge.agentId,
      visibleLine(merge.target),
      localTime(merge.createdAt),
      problemOf(face, merge),
    ]),
    none: texts.none,
  });
}

function problemOf({ texts }: Face, { problem }: WireMerge): string {
  return problem === null ? "" : visibleLine(mergeProblemText(problem, texts.locale));
}

/** `kuromajutsu discard <agent|workspace>` */
export async function discardChange(
  face: Face,
  id: string,
  { reason, json }: { readonly reason?: string | undefined; readonly json: boolean },
): Promise<number> {
  const { api, console } = face;
  const body = reason === undefined ? {} : { reason };
  const workspace = await findingChange(face, id, () =>
    api.call(changes.discardChange, { params: { id }, body }),
  );
  if (json) return printJson(console, workspace);
  console.print(MERGE_TEXTS[face.texts.locale].discarded(workspace.agentId));
  return 0;
}
