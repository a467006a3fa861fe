import { Check, MessageSquare } from "lucide-react";
import { useMemo, useState } from "react";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { cx } from "../../../ui/cx.ts";
import { SearchBox } from "../../../ui/search-box.tsx";
import type { ChangedFile } from "../change-data.ts";
import { CHANGES } from "../texts.ts";
import { FileStatus, LineCounts } from "./file-status.tsx";

export type FileListProps = {
  readonly files: readonly ChangedFile[];
  readonly viewed: ReadonlySet<string>;
  /** How many comments a file has. */
  readonly comments: ReadonlyMap<string, number>;
  readonly current: string | null;
  readonly onOpen: (path: string) => void;
};

const MANY_FILES = 12;

/** The files of a change, by folder. */
export function FileList({ files, viewed, comments, current, onOpen }: FileListProps) {
  const text = useTexts(CHANGES);
  const format = useFormat();
  const [filter, setFilter] = useState("");
  const folders = useMemo(() => byFolder(files, filter), [files, filter]);
  const done = files.filter(({ path }) => viewed.has(path)).length;
  return (
    <nav aria-label={text.files} className="flex shrink-0 flex-col gap-2">
      <p className="flex flex-wrap justify-between gap-x-2 text-xs text-text-3">
        <span>{text.fileCount(format.number(files.length))}</span>
        {done > 0 && <span>{text.viewedOf(format.number(done), format.number(files.length))}</span>}
      </p>
      {files.length > MANY_FILES && (
        <SearchBox label={text.filter} value={filter} onChange={setFilter} />
      )}
      {folders.length === 0 && <p className="text-xs text-text-3">{text.noneFound}</p>}
      <ul className="max-h-40 overflow-y-auto lg:max-h-[45dvh]">
        {folders.map(({ folder, inside }) => (
          <li key={folder}>
            {folder !== "" && (
              <p className="truncate pt-1 font-mono text-[11px] text-text-3" title={folder}>
                {folder}
              </p>
            )}
            <ul>
              {inside.map((file) => (
                <li key={file.path}>
                  <FileRow
                    file={file}
                    isViewed={viewed.has(file.path)}
                    comments={comments.get(file.path) ?? 0}
                    isCurrent={file.path === current}
                    onOpen={onOpen}
                  />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type FileRowProps = {
  readonly file: ChangedFile;
  readonly isViewed: boolean;
  readonly comments: number;
  readonly isCurrent: boolean;
  readonly onOpen: (path: string) => void;
};

function FileRow({ file, isViewed, comments, isCurrent, onOpen }: FileRowProps) {
  const text = useTexts(CHANGES);
  const name = visibleName(file.path);
  return (
    <button
      type="button"
      aria-current={isCurrent ? "true" : undefined}
      title={name}
      onClick={() => onOpen(file.path)}
      className={cx(
        "flex min-h-[26px] w-full items-center gap-2 rounded-lg px-2 py-1 text-left text-xs hover:bg-raised",
        isCurrent && "bg-raised",
        isViewed ? "text-text-3" : "text-text",
      )}
    >
      <FileStatus status={file.status} />
      <span className="min-w-0 flex-1 truncate font-mono">
        {name.slice(name.lastIndexOf("/") + 1)}
      </span>
      {comments > 0 && (
        <span className="inline-flex shrink-0 items-center gap-0.5 text-pending">
          <MessageSquare size={11} aria-hidden />
          {comments}
          <span className="sr-only"> {text.comments.title}</span>
        </span>
      )}
      <LineCounts added={file.added} removed={file.removed} />
      {isViewed && (
        <>
          <Check size={12} aria-hidden className="shrink-0 text-success" />
          <span className="sr-only">{text.viewed}</span>
        </>
      )}
    </button>
  );
}

type Folder = { readonly folder: string; readonly inside: readonly ChangedFile[] };

function byFolder(files: readonly ChangedFile[], filter: string): readonly Folder[] {
  const wanted = filter.trim().toLowerCase();
  const found = new Map<string, ChangedFile[]>();
  for (const file of files) {
    if (wanted !== "" && !file.path.toLowerCase().includes(wanted)) continue;
    const folder = visibleName(file.path.slice(0, Math.max(0, file.path.lastIndexOf("/"))));
    const inside = found.get(folder);
    if (inside) inside.push(file);
    else found.set(folder, [file]);
  }
  return [...found].map(([folder, inside]) => ({ folder, inside }));
}
