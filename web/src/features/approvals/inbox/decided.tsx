import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Segments } from "../../../ui/segments.tsx";
import { useFilters } from "../../../ui/use-filters.ts";
import { APPROVALS } from "../texts.ts";
import { DecidedList, type DecidedListProps } from "./decided-list.tsx";
import { KindFilter } from "./kind-filter.tsx";

const RESULTS = ["all", "approved", "rejected", "superseded", "expired", "cancelled"] as const;

export function Decided({ kind }: Pick<DecidedListProps, "kind">) {
  const text = useTexts(APPROVALS);
  const { approvalStatus } = useTexts(COMMON);
  const [filters, setFilters] = useFilters();
  const result = RESULTS.find((each) => each === filters["result"]) ?? "all";
  return (
    <>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Segments
          label={text.result}
          value={result}
          onChange={(next) => setFilters({ result: next === "all" ? undefined : next })}
          options={RESULTS.map((id) => ({
            id,
            label: id === "all" ? text.all : approvalStatus[id],
          }))}
        />
        <KindFilter approvals={null} />
      </div>
      <DecidedList status={result} kind={kind} />
    </>
  );
}
