import { structuredPatch } from "diff";
import { useMemo } from "react";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { visible } from "../text/visible.ts";
import { cx } from "./cx.ts";
import type { LineDiffProps } from "./line-diff.tsx";
import { useShowMore } from "./show-more.tsx";

const TEXTS = defineTexts({
  ja: {
    same: "違いはありません。",
    tooDifferent: "違いが大きすぎるため、新しい内容だけを表示しています。",
    added: "追加:",
    removed: "削除:",
  },
  en: {
    same: "No changes.",
    tooDifferent: "The texts differ too much to compare; only the new one is shown.",
    added: "added:",
    removed: "removed:",
  },
});

const AROUND = 3;
const GIVE_UP_MS = 500;
const FIRST_LINES = 2_000;

type Line = {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
  readonly old: number | null;
  readonly now: number | null;
};

export function LineDiffBody({ before, after, label }: LineDiffProps) {
  const text = useTexts(TEXTS);
  const lines = useMemo(() => linesOf(visible(before), visible(after)), [before, after]);
  const rest = useMemo(() => (lines ? [] : whole(visible(after))), [lines, after]);
  const { shown, button } = useShowMore(lines ?? rest, FIRST_LINES);
  if (lines?.length === 0) return <p className="text-text-3">{text.same}</p>;
  return (
    <div className="min-w-0">
      {!lines && <p className="text-timeout">{text.tooDifferent}</p>}
      <div
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-[50vh] overflow-auto rounded-lg border border-line bg-base py-1 font-mono text-xs leading-5"
      >
        {shown.map((line, index) => (
          <DiffLine key={index} line={line} added={text.added} removed={text.removed} />
        ))}
      </div>
      {button}
    </div>
  );
}

const LOOKS: Record<Line["kind"], string> = {
  same: "text-text-2",
  added: "bg-success/15 text-success",
  removed: "bg-danger/20 text-failed",
  gap: "my-1 bg-raised text-text-3",
};
const SIGNS: Record<Line["kind"], string> = { same: " ", added: "+", removed: "−", gap: "⋯" };

function DiffLine({
  line,
  added,
  removed,
}: {
  readonly line: Line;
  readonly added: string;
  readonly removed: string;
}) {
  return (
    <div className={cx("grid grid-cols-[2.2rem_1rem_minmax(0,1fr)] px-2", LOOKS[line.kind])}>
      <span aria-hidden className="pr-2 text-right text-text-3 select-none">
        {line.now ?? line.old ?? ""}
      </span>
      <span aria-hidden className="select-none">
        {SIGNS[line.kind]}
      </span>
      <span className="whitespace-pre-wrap">
        {line.kind === "added" && <span className="sr-only">{added} </span>}
        {line.kind === "removed" && <span className="sr-only">{removed} </span>}
        {line.text || " "}
      </span>
    </div>
  );
}

function whole(text: string): readonly Line[] {
  return text
    .split("\n")
    .map((line, index) => ({ kind: "same", text: line, old: index + 1, now: index + 1 }));
}

function linesOf(before: string, after: string): readonly Line[] | undefined {
  const patch = structuredPatch("", "", before, after, "", "", {
    context: AROUND,
    timeout: GIVE_UP_MS,
  });
  if (!patch) return undefined;
  const lines: Line[] = [];
  for (const [index, hunk] of patch.hunks.entries()) {
    if (index > 0) lines.push({ kind: "gap", text: "", old: null, now: null });
    let old = hunk.oldStart;
    let now = hunk.newStart;
    for (const raw of hunk.lines) {
      const text = raw.slice(1);
      if (raw.startsWith("+")) lines.push({ kind: "added", text, old: null, now: now++ });
      else if (raw.startsWith("-")) lines.push({ kind: "removed", text, old: old++, now: null });
      else if (raw.startsWith(" ")) lines.push({ kind: "same", text, old: old++, now: now++ });
    }
  }
  return lines;
}
