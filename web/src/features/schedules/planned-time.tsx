import { plannedTimeText } from "../../../../src/contract/values.ts";
import { useLocale } from "../../i18n/locale.ts";

/** On the clock of the schedule's time zone, not of the reader's. */
export function PlannedTime({ at, timeZone }: { readonly at: string; readonly timeZone: string }) {
  const locale = useLocale((state) => state.locale);
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {plannedTimeText(Date.parse(at), timeZone, locale)}
    </time>
  );
}
