import { useQuery } from "@tanstack/react-query";
import { Coins } from "lucide-react";
import { get } from "../../../api/http.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { tokensOf } from "../../../live/tokens.ts";
import { isUsed, sumOf } from "../../agents/usage-rows.ts";
import { TEXTS } from "./texts.ts";

/** Usage of the group's ended agents; hidden if no CLI reported any. */
export function GroupCost({ groupId }: { readonly groupId: string }) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ["group", groupId],
    queryFn: ({ signal }) => get("/api/groups/{id}", { params: { id: groupId }, signal }),
  });
  const used = data?.usage.filter(isUsed) ?? [];
  const tokens = used.reduce((sum, row) => sum + tokensOf(row), 0);
  const sum = sumOf(used);
  if (used.length === 0) return null;
  return (
    <span className="inline-flex items-center gap-1 font-mono text-text-2" title={text.groupCost}>
      <Coins size={12} aria-hidden className="text-text-3" />
      <span className="sr-only">{text.groupCost}</span>
      {sum && `${format.amounts(sum.amounts)}${sum.isPartial ? "+" : ""} · `}
      {common.tokens(format.compact(tokens))}
    </span>
  );
}
