import * as contract from "../../../contract/routes/approvals.ts";
import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import { visibleLine, visiblePreview } from "../../../contract/visible-text.ts";
import { localTime } from "./local-time.ts";
import { printJson, printTable } from "./print-list.ts";
import { approvalLines } from "./render-approval.ts";
import { addressOf, type Face } from "./session.ts";
import { suggestingIds } from "./suggest-id.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

/** `kuromajutsu approvals` */
export async function listApprovals(face: Face, json: boolean): Promise<number> {
  const { api, console, texts } = face;
  const answer = await api.call(contract.listApprovals, { query: { status: "pending" } });
  if (json) return printJson(console, answer);
  const { headings } = texts;
  return printTable(console, {
    headings: [headings.id, headings.kind, headings.created, headings.title],
    uncut: [0],
    rows: answer.approvals.map(({ approvalId, kind, createdAt, title }) => [
      approvalId,
      texts.kinds[kind],
      localTime(createdAt),
      visibleLine(title),
    ]),
    none: texts.noApprovals,
  });
}

export type Decide = {
  readonly decision: "approve" | "reject";
  readonly reason?: string;
  readonly answer?: string;
  readonly scope?: "any_arguments";
  readonly onReject?: "skip";
};

/** `kuromajutsu approvals <id> approve|reject` */
export async function decideApproval(
  face: Face,
  id: string,
  { decision, reason, answer, scope, onReject }: Decide,
): Promise<number> {
  const { api, console, texts } = face;
  const params = { id };
  const { version } = await findApproval(face, id);
  const body = {
    decision,
    version,
    ...(reason && { reason }),
    ...(answer && { answer }),
    ...(scope && { scope }),
    ...(onReject && { onReject }),
  };
  const decided = await api.call(contract.decideApproval, { params, body });
  console.print(texts.decided(decided.status, visibleLine(decided.title)));
  return 0;
}

/** `kuromajutsu approvals <id>`: everything that is to be decided on, and how to decide. */
export async function showApproval(face: Face, id: string, json: boolean): Promise<number> {
  const { console, texts, api, program } = face;
  const approval = await findApproval(face, id);
  if (json) return printJson(console, approval);
  const { style } = console;
  const address = addressOf(api, "approvals", id);
  const { lines } = approvalLines(approval, { texts, style, width: undefined });
  const commands =
    approval.status === "pending"
      ? [
          "",
          `  ${program} approvals ${id} approve`,
          `  ${program} approvals ${id} reject --reason "…"`,
        ]
      : [];
  console.print(
    [
      ...headingOf(approval, texts),
      "",
      ...lines.map((line) => `  ${line}`),
      "",
      `${texts.dashboard}: ${style.link(address, address)}`,
      ...commands,
    ].join("\n"),
  );
  return 0;
}

function headingOf(approval: WireApproval, texts: TerminalTexts): readonly string[] {
  const { approvalId, status, kind, title, taskId, shown, decidedBy, reason } = approval;
  const by = decidedBy === null ? "" : ` — ${texts.person(visibleLine(decidedBy))}`;
  const why = reason === null ? "" : `: ${visiblePreview(reason)}`;
  const request = shown["request"];
  return [
    `${texts.asks[kind]} ${visibleLine(title)}`,
    `${approvalId}  ${texts.approval[status]}${by}${why}`,
    ...(taskId === null ? [] : [`${texts.headings.task}: ${taskId}`]),
    ...(typeof request === "string" ? [`${texts.request}: ${visiblePreview(request)}`] : []),
  ];
}

function findApproval({ api, texts }: Face, id: string): Promise<WireApproval> {
  const known = async () =>
    (await api.call(contract.listApprovals, { query: { status: "pending" } })).approvals.map(
      ({ approvalId }) => approvalId,
    );
  return suggestingIds(texts.locale, { id, code: "APPROVAL_NOT_FOUND", known }, () =>
    api.call(contract.getApproval, { params: { id } }),
  );
}
