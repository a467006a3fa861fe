import type { WireScheduleRun } from "../../../../src/contract/shapes/schedules.ts";
import { useTexts } from "../../i18n/texts.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { TEXTS } from "./texts.ts";

/** The statuses of other things have the colours. */
const LIKE = {
  started: "completed",
  queued: "queued",
  skipped_missed: "cancelled",
  skipped_overlap: "cancelled",
  failed: "failed",
} as const;

export function RunBadge({ run }: { readonly run: WireScheduleRun }) {
  const text = useTexts(TEXTS);
  return <StatusBadge status={LIKE[run.status]} label={text.run[run.status]} />;
}
