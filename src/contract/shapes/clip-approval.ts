import { clipFields } from "../../domain/text/clip-fields.ts";
import { startOfText } from "../../domain/text/start-of-text.ts";
import type { WireApproval } from "./approvals.ts";

/** Far more than people write; what agents want to call a tool with has no such bound. */
const LIMITS = { mostChars: 16_384, mostOfText: 2_000 };

/** As everybody who watches is told of it. Who decides reads it whole first. */
export function clipApproval(approval: WireApproval): WireApproval {
  const title = startOfText(approval.title, LIMITS.mostOfText);
  const shown = clipFields(approval.shown, LIMITS);
  if (title === approval.title && shown === approval.shown) return approval;
  return { ...approval, title, shown, clipped: true };
}
