import { useQuery } from "@tanstack/react-query";
import { FilePen, FilePlus2, FileX2 } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import type { Change } from "../../../../src/contract/transcript/entries.ts";
import { type AnswerOf, get } from "../../api/http.ts";
import { useTexts } from "../../i18n/texts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/notes.tsx";
import { Diff } from "./diff.tsx";
import { TEXTS } from "./texts.ts";
import { Added } from "./transcript/tool-row.tsx";
import type { TranscriptState } from "./transcript/transcript.ts";

type Files = AnswerOf<"get", "/api/agents/{id}/files">;

export type ChangesProps = {
  readonly agentId: string;
  readonly state: TranscriptState;
  /** The file to scroll to. */
  readonly focus?: string | undefined;
};

/** Files the agent wrote, with diffs if its CLI reports them. */
export function Changes({ agentId, state, focus }: ChangesProps) {
  const text = useTexts(TEXTS).files;
  const { data } = useQuery({
    queryKey: ["agent", agentId, "files"],
    queryFn: ({ signal }) => get("/api/agents/{id}/files", { params: { id: agentId }, signal }),
  });
  const files = useFiles(data, state);
  if (!data) return null;
  if (files.length === 0) return <EmptyState title={text.none} />;
  const hasDiff = files.some(({ changes }) => changes.some(({ diff }) => diff !== null));
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xs text-text-3">
        {text.directory}: <span className="font-mono">{data.workingDirectory}</span>
      </p>
      {state.offset < state.size && <p className="text-xs text-timeout">{text.reading}</p>}
      {!hasDiff && <p className="text-text-2">{text.noDiffAtAll}</p>}
      {files.map((file) => (
        <FileChanges key={file.path} file={file} isFocus={file.path === focus} />
      ))}
    </div>
  );
}

type FileState = {
  readonly path: string;
  readonly shown: string;
  readonly kind: "created" | "edited" | "deleted";
  readonly changes: readonly Change[];
};

function useFiles(data: Files | undefined, { entries, version }: TranscriptState) {
  return useMemo((): readonly FileState[] => {
    if (!data) return [];
    const { deletedFiles = [] } = data;
    const byPath = new Map<string, Change[]>();
    for (const path of [...data.createdFiles, ...data.editedFiles, ...deletedFiles])
      byPath.set(path, []);
    for (const entry of entries) {
      if (entry.kind !== "tool" || !entry.change) continue;
      const known = byPath.get(entry.change.path);
      if (known) known.push(entry.change);
      else byPath.set(entry.change.path, [entry.change]);
    }
    const created = new Set(data.createdFiles);
    const deleted = new Set(deletedFiles);
    const root = `${data.workingDirectory}/`;
    return [...byPath].map(([path, changes]) => ({
      path,
      shown: path.startsWith(root) ? path.slice(root.length) : path,
      kind: deleted.has(path) ? "deleted" : created.has(path) ? "created" : "edited",
      changes,
    }));
    // `entries` keeps its identity; `version` changes when it grows.
  }, [data, entries, version]);
}

const KINDS = {
  created: { Icon: FilePlus2, tone: "text-success" },
  edited: { Icon: FilePen, tone: "text-running" },
  deleted: { Icon: FileX2, tone: "text-failed" },
} as const;

function FileChanges({ file, isFocus }: { readonly file: FileState; readonly isFocus: boolean }) {
  const text = useTexts(TEXTS).files;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFocus) box.current?.scrollIntoView({ block: "nearest" });
  }, [isFocus, file.changes.length]);
  const { Icon, tone } = KINDS[file.kind];
  const sum = (side: "added" | "removed") =>
    file.changes.reduce((total, change) => total + (change[side] ?? 0), 0);
  const diffs = file.changes.flatMap(({ diff }) => (diff === null ? [] : [diff]));
  return (
    <section
      ref={box}
      className={cx(
        "min-w-0 rounded-xl border bg-surface",
        isFocus ? "border-violet" : "border-line",
      )}
    >
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <Icon size={15} aria-hidden className={tone} />
        <h2 className="min-w-0 flex-1 font-mono text-xs break-all">{file.shown}</h2>
        <span className="text-xs text-text-3">{text[file.kind]}</span>
        {file.changes.length > 0 && <Added added={sum("added")} removed={sum("removed")} />}
        <CopyButton text={file.path} />
      </div>
      <div className="flex flex-col gap-2 px-3 pb-3">
        {diffs.length === 0
          ? file.kind !== "deleted" && <p className="text-xs text-text-3">{text.noDiff}</p>
          : diffs.map((diff, index) => <Diff key={index} text={diff} />)}
      </div>
    </section>
  );
}
