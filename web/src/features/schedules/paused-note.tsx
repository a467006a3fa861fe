import type { WireSchedule } from "../../../../src/contract/shapes/schedules.ts";
import { useTexts } from "../../i18n/texts.ts";
import { usePersonName } from "../people/use-person-name.ts";
import { TEXTS } from "./texts.ts";

export function PausedNote({ schedule }: { readonly schedule: WireSchedule }) {
  const text = useTexts(TEXTS);
  const nameOf = usePersonName();
  const { status, pausedBy, pausedReason } = schedule;
  if (status === "active") return null;
  return pausedReason === null ? (
    <p className="text-xs text-text-3">{text.pausedBy(nameOf(pausedBy))}</p>
  ) : (
    <p className="text-xs text-timeout">{text.pausedItself[pausedReason]}</p>
  );
}
