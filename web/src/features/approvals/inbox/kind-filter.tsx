import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Segments } from "../../../ui/segments.tsx";
import { useFilters } from "../../../ui/use-filters.ts";
import { APPROVALS } from "../texts.ts";

const KINDS = [
  "prompt",
  "process",
  "step",
  "unplanned_tool",
  "call",
  "question",
  "outcome",
] as const;

export function KindFilter({ approvals }: { readonly approvals: readonly WireApproval[] | null }) {
  const text = useTexts(APPROVALS);
  const { approvalKind } = useTexts(COMMON);
  const [filters, setFilters] = useFilters();
  const chosen = KINDS.find((kind) => kind === filters["kind"]) ?? "all";
  const count = (kind: WireApproval["kind"]) =>
    approvals?.filter((approval) => approval.kind === kind).length;
  // Hide kinds without pending approvals.
  const kinds = KINDS.filter((kind) => count(kind) !== 0 || kind === chosen);
  return (
    <Segments
      label={text.kind}
      value={chosen}
      onChange={(kind) => setFilters({ kind: kind === "all" ? undefined : kind, id: undefined })}
      options={[
        { id: "all" as const, label: text.all, count: approvals?.length },
        ...kinds.map((kind) => ({ id: kind, label: approvalKind[kind], count: count(kind) })),
      ]}
    />
  );
}
