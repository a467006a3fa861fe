import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { visiblePreview } from "../../../../../src/contract/visible-text.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Card } from "../../../ui/card.tsx";
import { stepsIn, textIn } from "../content/shown.ts";
import { InboxRow } from "./inbox-list.tsx";

/** An approval in the inbox of a phone; a tap opens it for the decision. */
export function PhoneCard({ approval }: { readonly approval: WireApproval }) {
  const common = useTexts(COMMON);
  return (
    <Card bar="pending" className="mb-3">
      <Link
        to="/approvals/$approvalId"
        params={{ approvalId: approval.approvalId }}
        className="block p-4 active:bg-raised"
      >
        <InboxRow approval={approval} />
        <span className="mt-2 line-clamp-3 text-text-2">{visiblePreview(glimpse(approval))}</span>
        <span className="mt-2 flex items-center justify-end gap-1 text-violet">
          {common.seeAll}
          <ArrowRight size={14} aria-hidden />
        </span>
      </Link>
    </Card>
  );
}

const GLIMPSE_CHARS = 200;

function glimpse({ kind, shown }: WireApproval): string {
  switch (kind) {
    case "prompt":
      return (textIn(shown, "content") ?? "").slice(0, GLIMPSE_CHARS);
    case "process":
      return stepsIn(shown)
        .slice(0, 8)
        .map(({ title }) => title)
        .join(" → ");
    case "question":
      return (textIn(shown, "question") ?? "").slice(0, GLIMPSE_CHARS);
    case "merge":
      return (textIn(shown, "message") ?? "").slice(0, GLIMPSE_CHARS);
    case "step":
    case "unplanned_tool":
    case "call":
    case "outcome":
      return `${textIn(shown, "tool") ?? ""} — ${glimpseArguments(shown["args"])}`;
  }
}

function glimpseArguments(args: unknown): string {
  if (typeof args !== "object" || args === null) return "";
  return Object.entries(args)
    .slice(0, 6)
    .map(([name, value]: [string, unknown]) => `${name}: ${glimpseValue(value)}`)
    .join(" · ");
}

function glimpseValue(value: unknown): string {
  if (typeof value === "string") return value.slice(0, 60);
  if (Array.isArray(value)) return `[${value.length}]`;
  return JSON.stringify(value).slice(0, 40);
}
