import { truncate } from "../../base/truncate.ts";
import { clipFields } from "../../domain/text/clip-fields.ts";
import type { WireApproval } from "./approvals.ts";

/** Far more than people write; the arguments of an agent's tool call have no limit. */
const LIMITS = { maxChars: 16_384, maxTextChars: 2_000 };

/** Truncates long texts for live events. A person loads the whole approval before deciding. */
export function clipApproval(approval: WireApproval): WireApproval {
  const title = truncate(approval.title, LIMITS.maxTextChars);
  const shown = clipFields(approval.shown, LIMITS);
  if (title === approval.title && shown === approval.shown) return approval;
  return { ...approval, title, shown, clipped: true };
}
