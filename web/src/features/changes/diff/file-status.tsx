import { FilePen, FilePlus2, FileSymlink, FileX2, Shuffle } from "lucide-react";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import type { ChangedFile } from "../change-data.ts";
import { CHANGES } from "../texts.ts";

const LOOKS = {
  added: { Icon: FilePlus2, tone: "text-success" },
  modified: { Icon: FilePen, tone: "text-running" },
  deleted: { Icon: FileX2, tone: "text-failed" },
  renamed: { Icon: FileSymlink, tone: "text-violet" },
  typechange: { Icon: Shuffle, tone: "text-timeout" },
} as const;

export function FileStatus({ status }: { readonly status: ChangedFile["status"] }) {
  const { statuses } = useTexts(CHANGES);
  const { Icon, tone } = LOOKS[status];
  return (
    <span className={`shrink-0 ${tone}`} title={statuses[status]}>
      <Icon size={14} aria-hidden />
      <span className="sr-only">{statuses[status]}</span>
    </span>
  );
}

export type LineCountsProps = { readonly added: number | null; readonly removed: number | null };

/** Binary files have no numbers. */
export function LineCounts({ added, removed }: LineCountsProps) {
  const format = useFormat();
  if (added === null || removed === null) return null;
  return (
    <span className="inline-flex gap-1.5 font-mono text-xs whitespace-nowrap">
      <span className="text-success">+{format.number(added)}</span>
      <span className="text-failed">−{format.number(removed)}</span>
    </span>
  );
}
