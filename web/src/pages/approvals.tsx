import { Decided } from "../features/approvals/inbox/decided.tsx";
import { kindOf } from "../features/approvals/inbox/kind-filter.tsx";
import { usePending } from "../features/approvals/inbox/use-pending.ts";
import { Waiting } from "../features/approvals/inbox/waiting.tsx";
import { APPROVALS } from "../features/approvals/texts.ts";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "../ui/button.tsx";
import { Segments } from "../ui/segments.tsx";
import { useFilters } from "../ui/use-filters.ts";

export function Page() {
  const text = useTexts(APPROVALS);
  const [filters, setFilters] = useFilters();
  const view = filters["view"] === "decided" ? "decided" : "waiting";
  const { approvals, total, rest, loadMore } = usePending();
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-xl font-bold">{text.title}</h1>
        <Segments
          label={text.view}
          value={view}
          onChange={(next) =>
            setFilters({ view: next === "decided" ? next : undefined, result: undefined })
          }
          options={[
            { id: "waiting", label: text.waiting, count: total },
            { id: "decided", label: text.decided },
          ]}
        />
        <p className="hidden text-xs text-text-3 lg:ml-auto lg:block">
          {view === "waiting" && text.keys}
        </p>
      </header>
      {view === "waiting" ? <Waiting approvals={approvals} /> : <Decided kind={kindOf(filters)} />}
      {view === "waiting" && rest > 0 && (
        <p className="flex flex-wrap items-center gap-3 self-center text-text-2" role="status">
          {text.rest(rest)}
          <Button onPress={() => void loadMore()}>{text.more}</Button>
        </p>
      )}
    </div>
  );
}
