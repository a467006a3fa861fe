import * as contract from "../../../contract/routes/approvals.ts";
import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import type { Session } from "./follow-task.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

type Face = Pick<Session, "api" | "console" | "texts">;

/** `kuromajutsu approvals` */
export async function listApprovals({ api, console, texts }: Face): Promise<number> {
  const { approvals } = await api.call(contract.listApprovals, { query: { status: "pending" } });
  console.print(
    approvals.length === 0
      ? texts.noApprovals
      : approvals.map((approval) => approvalLine(approval, texts)).join("\n"),
  );
  return 0;
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
  { api, console, texts }: Face,
  id: string,
  { decision, reason, answer, scope, onReject }: Decide,
): Promise<number> {
  const params = { id };
  const { version } = await api.call(contract.getApproval, { params });
  const body = {
    decision,
    version,
    ...(reason && { reason }),
    ...(answer && { answer }),
    ...(scope && { scope }),
    ...(onReject && { onReject }),
  };
  const decided = await api.call(contract.decideApproval, { params, body });
  console.print(approvalLine(decided, texts));
  return 0;
}

/** `kuromajutsu approvals <id>` */
export async function showApproval({ api, console, texts }: Face, id: string): Promise<number> {
  const approval = await api.call(contract.getApproval, { params: { id } });
  console.print(
    `${approvalLine(approval, texts)}\n${visibleText(JSON.stringify(approval.shown, null, 2))}`,
  );
  return 0;
}

function approvalLine(approval: WireApproval, texts: TerminalTexts): string {
  const { approvalId, status, kind, title, taskId } = approval;
  return `${approvalId}  ${status}  ${texts.asks[kind]}: ${visibleLine(title)}  ${taskId ?? ""}`.trimEnd();
}
