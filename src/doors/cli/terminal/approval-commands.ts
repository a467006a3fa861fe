import { z } from "zod";
import { approvalShape, type WireApproval } from "../../../contract/shapes/approvals.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import type { Session } from "./follow-task.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

type Face = Pick<Session, "api" | "console" | "texts">;

const approvalListShape = z.object({ approvals: z.array(approvalShape) });

/** `kuromajutsu approvals` */
export async function listApprovals({ api, console, texts }: Face): Promise<number> {
  const { approvals } = await api.get("/api/approvals?status=pending", approvalListShape);
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
  const path = `/api/approvals/${encodeURIComponent(id)}`;
  const { version } = await api.get(path, approvalShape);
  const body = {
    decision,
    version,
    ...(reason && { reason }),
    ...(answer && { answer }),
    ...(scope && { scope }),
    ...(onReject && { onReject }),
  };
  const decided = await api.send("POST", `${path}/decision`, body, approvalShape);
  console.print(approvalLine(decided, texts));
  return 0;
}

/** `kuromajutsu approvals <id>` */
export async function showApproval({ api, console, texts }: Face, id: string): Promise<number> {
  const approval = await api.get(`/api/approvals/${encodeURIComponent(id)}`, approvalShape);
  console.print(
    `${approvalLine(approval, texts)}\n${visibleText(JSON.stringify(approval.shown, null, 2))}`,
  );
  return 0;
}

function approvalLine(approval: WireApproval, texts: TerminalTexts): string {
  const { approvalId, status, kind, title, taskId } = approval;
  return `${approvalId}  ${status}  ${texts.asks[kind]}: ${visibleLine(title)}  ${taskId ?? ""}`.trimEnd();
}
