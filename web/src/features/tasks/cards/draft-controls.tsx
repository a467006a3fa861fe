import { ChevronDown, ChevronUp, GitCompare } from "lucide-react";
import { ToggleButton } from "react-aria-components";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { IconButton } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { usePersonName } from "../../people/use-person-name.ts";
import { TASK } from "../detail/texts.ts";
import type { Draft } from "./draft-content.tsx";

export type DraftControlsProps = {
  readonly drafts: readonly Draft[];
  readonly shown: Draft | undefined;
  readonly isFolded: boolean;
  readonly onFold: (fold: boolean) => void;
  readonly onChoose: (version: number) => void;
  readonly isDiff: boolean;
  /** null if there is no earlier version to compare with. */
  readonly onCompare: ((isCompared: boolean) => void) | null;
};

/** The right side of a draft's header: its decision when folded, otherwise its versions. */
export function DraftControls(props: DraftControlsProps) {
  const { drafts, shown, isFolded, onFold, onChoose, isDiff, onCompare } = props;
  const text = useTexts(TASK);
  const nameOf = usePersonName();
  const format = useFormat();
  const newest = drafts.at(-1);
  return (
    <>
      {isFolded && newest?.decidedAt && (
        <span className="text-xs text-text-2">
          {text.approvedLine(
            newest.version,
            nameOf(newest.decidedBy),
            format.time(newest.decidedAt),
          )}
        </span>
      )}
      {!isFolded && drafts.length > 1 && (
        <>
          <Versions drafts={drafts} shown={shown} onChoose={onChoose} />
          {onCompare && (
            <ToggleButton
              isSelected={isDiff}
              onChange={onCompare}
              className="inline-flex min-h-7 items-center gap-1.5 rounded-lg border border-line px-2 text-xs text-text-2 hover:border-field selected:border-violet selected:bg-violet-solid/20 selected:text-violet"
            >
              <GitCompare size={13} aria-hidden />
              {text.diff}
            </ToggleButton>
          )}
        </>
      )}
      <IconButton
        size="small"
        label={isFolded ? text.open : text.close}
        aria-expanded={!isFolded}
        onPress={() => onFold(!isFolded)}
      >
        {isFolded ? <ChevronDown size={14} aria-hidden /> : <ChevronUp size={14} aria-hidden />}
      </IconButton>
    </>
  );
}

function Versions({
  drafts,
  shown,
  onChoose,
}: {
  readonly drafts: readonly Draft[];
  readonly shown: Draft | undefined;
  readonly onChoose: (version: number) => void;
}) {
  const text = useTexts(TASK);
  return (
    <div
      role="group"
      aria-label={text.versions}
      className="flex overflow-hidden rounded-lg border border-line"
    >
      {drafts.map(({ version, status }) => (
        <button
          key={version}
          type="button"
          aria-pressed={version === shown?.version}
          onClick={() => onChoose(version)}
          className={cx(
            "min-h-7 px-2 font-mono text-xs focus-visible:-outline-offset-2",
            status === "rejected" && "line-through",
            version === shown?.version
              ? "bg-violet-solid/25 text-text"
              : "text-text-3 hover:text-text",
          )}
        >
          {text.versionOf(version)}
        </button>
      ))}
    </div>
  );
}
