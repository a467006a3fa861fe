import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { APPROVAL_KINDS } from "../../../../../src/contract/values.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Segments } from "../../../ui/segments.tsx";
import { useFilters } from "../../../ui/use-filters.ts";
import { APPROVALS } from "../texts.ts";

/** The kind that the address asks for. */
export function kindOf(filters: Readonly<Record<string, string | undefined>>) {
  return APPROVAL_KINDS.find((kind) => kind === filters["kind"]) ?? "all";
}

export function KindFilter({ approvals }: { readonly approvals: readonly WireApproval[] | null }) {
  const text = useTexts(APPROVALS);
  const { approvalKind } = useTexts(COMMON);
  const [filters, setFilters] = useFilters();
  const chosen = kindOf(filters);
  const count = (kind: WireApproval["kind"]) =>
    approvals?.filter((approval) => approval.kind === kind).length;
  // Hide kinds without pending approvals.
  const kinds = APPROVAL_KINDS.filter((kind) => count(kind) !== 0 || kind === chosen);
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
