import { GitCompareArrows } from "lucide-react";
import { useTexts } from "../../../i18n/texts.ts";
import { cx } from "../../../ui/cx.ts";
import { type ChangeOverlap, useOverlapsOf } from "../change-data.ts";
import { LISTS, type ListWords } from "../list-texts.ts";

/** From harmless to bad. */
const LEVELS = ["generated", "same_file", "conflict"] as const;

export function levelWord(level: ChangeOverlap["level"], text: ListWords): string {
  return { conflict: text.conflict, same_file: text.sameFile, generated: text.generated }[level];
}

export function worstFirst(overlaps: readonly ChangeOverlap[]): readonly ChangeOverlap[] {
  return overlaps.toSorted((a, b) => LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level));
}

/** On the card of an agent: another agent changes the same files. */
export function OverlapBadge({ agentId }: { readonly agentId: string }) {
  const text = useTexts(LISTS);
  const overlaps = useOverlapsOf(agentId);
  if (!overlaps || overlaps.length === 0) return null;
  const [worst, ...others] = worstFirst(overlaps);
  if (!worst) return null;
  const word = levelWord(worst.level, text);
  const rest = others.length > 0 ? ` ${text.more(others.length)}` : "";
  return (
    <p
      title={`${text.levels[worst.level]}\n${worst.paths.join("\n")}`}
      className={cx(
        "flex w-fit max-w-full items-center gap-1.5 rounded-full border px-2 text-[11px]",
        worst.level === "conflict"
          ? "border-timeout/50 bg-timeout/10 text-timeout"
          : "border-line bg-raised text-text-2",
      )}
    >
      <GitCompareArrows size={12} aria-hidden className="shrink-0" />
      <span className="truncate">
        {word}: <span className="font-mono">{worst.otherAgentId}</span>
        {rest}
      </span>
    </p>
  );
}
