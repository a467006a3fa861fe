import { ChevronDown, ChevronRight, RefreshCw } from "lucide-react";
import { Checkbox } from "react-aria-components";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { useWide } from "../../../ui/use-wide.ts";
import type { ChangedFile } from "../change-data.ts";
import { CHANGES } from "../texts.ts";
import { fileNotes } from "./file-note.ts";
import { FileStatus, LineCounts } from "./file-status.tsx";
import type { Patch } from "./use-patches.ts";

export type FileHeaderProps = {
  readonly file: ChangedFile;
  readonly patch: Patch | undefined;
  readonly isFolded: boolean;
  readonly isViewed: boolean;
  readonly onFold: () => void;
  readonly onViewed: () => void;
  readonly onRetry: () => void;
};

/** One row above the diff of a file. Its height is fixed, because the viewer calculates with it. */
export function FileHeader(props: FileHeaderProps) {
  const { file, patch, isFolded, isViewed, onFold, onViewed, onRetry } = props;
  const text = useTexts(CHANGES);
  const isWide = useWide();
  const name = visibleName(file.path);
  const notes = fileNotes(file, patch, text.notes).join(" ");
  return (
    <div className="flex h-[40px] items-center gap-2 border-y border-line bg-raised px-2 font-sans text-sm text-text">
      <IconButton label={text.fold(name)} size="small" aria-expanded={!isFolded} onPress={onFold}>
        {isFolded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
      </IconButton>
      <FileStatus status={file.status} />
      <h3 className="min-w-0 shrink truncate font-mono text-xs [direction:rtl]" title={name}>
        <bdi className="[direction:ltr]">{name}</bdi>
      </h3>
      {isWide && <CopyButton text={file.path} className="!min-h-[24px] min-w-[24px]" />}
      {notes !== "" && (
        <span className="min-w-0 flex-1 shrink-[3] truncate text-xs text-text-2" title={notes}>
          {notes}
        </span>
      )}
      {patch?.state === "failed" && (
        <>
          <span className="truncate text-xs text-failed">{text.failedFile}</span>
          <Button size="small" icon={<RefreshCw size={12} aria-hidden />} onPress={onRetry}>
            {text.tryAgain}
          </Button>
        </>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-3">
        <LineCounts added={file.added} removed={file.removed} />
        <Checkbox
          isSelected={isViewed}
          onChange={onViewed}
          aria-label={text.markViewed(name)}
          className="group flex cursor-pointer items-center gap-1.5 text-xs text-text-2"
        >
          <span
            aria-hidden
            className="grid size-4 place-items-center rounded border border-field text-[11px] text-transparent group-data-focus-visible:outline-2 group-data-focus-visible:outline-violet group-selected:border-violet group-selected:bg-violet-solid group-selected:text-on-solid"
          >
            ✓
          </span>
          {isWide && text.viewed}
        </Checkbox>
      </span>
    </div>
  );
}
