import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import type { WireComment } from "../../../../../src/contract/shapes/changes.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { Loading } from "../../../ui/notes.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { useWide } from "../../../ui/use-wide.ts";
import type { ChangedFile, PatchSource } from "../change-data.ts";
import { threadsOf } from "../comments/place-comments.ts";
import { CHANGES } from "../texts.ts";
import type { LineRange } from "./cursor.ts";
import type { Mark } from "./diff-view.tsx";
import { FileHeader } from "./file-header.tsx";
import { FileList } from "./file-list.tsx";
import { setLook, useLook } from "./look.ts";
import { lineAt, type PatchLine } from "./patch-lines.ts";
import { createDiffKeys } from "./use-keys.ts";
import { type Patches, usePatches } from "./use-patches.ts";
import { useViewed } from "./use-viewed.ts";

const loadView = () => import("./diff-view.tsx");
const DiffView = lazy(async () => ({ default: (await loadView()).DiffView }));

/** Loads the code of the viewer while the change is still on its way. */
export function preloadDiffs(): void {
  // A failure shows when the viewer is needed.
  loadView().catch(() => undefined);
}

export type DiffPaneProps = {
  /** A pane shows one source: give it `key={source.key}`. */
  readonly source: PatchSource;
  readonly files: readonly ChangedFile[];
  readonly comments?: readonly WireComment[];
  /** Where a new comment is written. */
  readonly editing?: LineRange | null;
  /** Undefined: this person cannot comment here. */
  readonly onComment?: ((range: LineRange) => void) | undefined;
  readonly renderThread?: (path: string, mark: Mark, comments: readonly WireComment[]) => ReactNode;
  /** Scrolls to this place. A new object scrolls again. */
  readonly goTo?: LineRange | { readonly path: string } | null;
  /** Below the list of files. */
  readonly aside?: ReactNode;
  /** Beside the choice of the view. */
  readonly tools?: ReactNode;
};

const NO_COMMENTS: readonly WireComment[] = [];

/** The files of a change beside their diffs, for mouse and keyboard. */
export function DiffPane(props: DiffPaneProps) {
  const { source, files, comments = NO_COMMENTS, editing = null, onComment, goTo = null } = props;
  const text = useTexts(CHANGES);
  const isWide = useWide();
  const look = useLook();
  const patches = usePatches(source, files);
  const folding = useFolding(source.key);
  const { viewed, isFolded, setViewed } = folding;
  const place = usePlace(goTo);
  const byPath = useMemo(() => new Map(files.map((file) => [file.path, file])), [files]);
  const threads = useThreads(comments, editing, patches.found);
  const linesIn = (path: string) => {
    const patch = patches.found.get(path);
    return patch?.state === "read" ? patch.lines : [];
  };
  const onKeyDown = createDiffKeys({
    files,
    linesIn,
    current: place.current,
    cursor: place.cursor,
    onFile: place.openFile,
    onLine: place.openLine,
    onComment,
    onViewed: setViewed,
  });
  const commentCounts = useMemo(() => countByPath(comments), [comments]);
  return (
    <div className="flex flex-col gap-2">
      <h2 className="sr-only">{text.diff}</h2>
      <DiffTools canComment={onComment !== undefined}>{props.tools}</DiffTools>
      <div className="grid gap-3 lg:h-[calc(100dvh-9.5rem)] lg:min-h-[26rem] lg:grid-cols-[15rem_minmax(0,1fr)]">
        {/* On a phone the comments are below the diff. */}
        <div className="contents lg:flex lg:min-h-0 lg:min-w-0 lg:flex-col lg:gap-4 lg:overflow-y-auto">
          <div className="max-h-60 min-w-0 overflow-y-auto lg:max-h-none lg:shrink-0 lg:overflow-visible">
            <FileList
              files={files}
              viewed={viewed}
              comments={commentCounts}
              current={place.current}
              onOpen={place.openFile}
            />
          </div>
          {props.aside && <div className="order-last min-w-0 lg:order-none">{props.aside}</div>}
        </div>
        {/* The scroll box inside is focusable; this element only handles its keys. */}
        <div
          role="presentation"
          onKeyDown={onKeyDown}
          className="h-[70dvh] min-w-0 overflow-hidden rounded-xl border border-line bg-surface lg:h-auto"
        >
          <Suspense fallback={<Loading />}>
            <DiffView
              files={files}
              patches={patches}
              sourceKey={source.key}
              look={isWide ? look : { ...look, style: "unified" }}
              label={text.diff}
              isFolded={isFolded}
              marks={threads.marks}
              cursor={editing ?? place.cursor}
              goTo={place.goTo}
              canPick={onComment !== undefined}
              onPick={(range) => {
                place.setCursor(range);
                onComment?.(range);
              }}
              renderHeader={(path) => (
                <PaneHeader file={byPath.get(path)} patches={patches} folding={folding} />
              )}
              renderMark={(path, mark) =>
                props.renderThread?.(path, mark, threads.at(path, mark)) ?? null
              }
            />
          </Suspense>
        </div>
      </div>
      <Announcer cursor={place.cursor} current={place.current} files={files} linesIn={linesIn} />
    </div>
  );
}

type PaneHeaderProps = {
  readonly file: ChangedFile | undefined;
  readonly patches: Patches;
  readonly folding: ReturnType<typeof useFolding>;
};

function PaneHeader({ file, patches, folding }: PaneHeaderProps) {
  if (!file) return null;
  const { path } = file;
  return (
    <FileHeader
      file={file}
      patch={patches.found.get(path)}
      isFolded={folding.isFolded(path)}
      isViewed={folding.viewed.has(path)}
      onFold={() => folding.fold(path)}
      onViewed={() => folding.setViewed(path)}
      onRetry={() => patches.retry(path)}
    />
  );
}

type DiffToolsProps = { readonly canComment: boolean; readonly children: ReactNode };

/** How this browser shows diffs, and the keys. */
function DiffTools({ canComment, children }: DiffToolsProps) {
  const text = useTexts(CHANGES);
  const isWide = useWide();
  const look = useLook();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {children}
      {isWide && (
        <Segments
          label={text.style}
          value={look.style}
          options={[
            { id: "split", label: text.split },
            { id: "unified", label: text.unified },
          ]}
          onChange={(style) => setLook({ style })}
        />
      )}
      <Switch label={text.wrap} isOn={look.wrap} onChange={(wrap) => setLook({ wrap })} />
      {isWide && (
        <p className="ml-auto text-xs text-text-3">
          {text.keys}
          {canComment && <> · {text.commentKey}</>}
        </p>
      )}
    </div>
  );
}

/** A file that was viewed is folded, unless the reader unfolds it. */
function useFolding(key: string) {
  const { viewed, toggle } = useViewed(key);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isFolded = useCallback(
    (path: string) => chosen.get(path) ?? viewed.has(path),
    [chosen, viewed],
  );
  return {
    viewed,
    isFolded,
    fold: (path: string) => setChosen((known) => new Map(known).set(path, !isFolded(path))),
    setViewed: (path: string) => {
      toggle(path);
      setChosen((known) => new Map([...known].filter(([each]) => each !== path)));
    },
  };
}

type Place = {
  readonly current: string | null;
  readonly cursor: LineRange | null;
  readonly goTo: { readonly path: string } | null;
};

/** Where the reader is. `asked` comes from outside the pane. */
function usePlace(asked: LineRange | { readonly path: string } | null) {
  const [place, setPlace] = useState<Place>({ current: null, cursor: null, goTo: null });
  const [seen, setSeen] = useState(asked);
  if (asked !== seen) {
    setSeen(asked);
    if (asked) {
      const cursor = "side" in asked ? asked : null;
      setPlace({ current: asked.path, cursor, goTo: { path: asked.path } });
    }
  }
  return {
    ...place,
    setCursor: (cursor: LineRange) =>
      setPlace((known) => ({ ...known, current: cursor.path, cursor })),
    openFile: (path: string) => setPlace({ current: path, cursor: null, goTo: { path } }),
    openLine: (cursor: LineRange) =>
      setPlace({ current: cursor.path, cursor, goTo: { path: cursor.path } }),
  };
}

/** Comments and the field for a new one, below their lines. */
function useThreads(
  comments: readonly WireComment[],
  editing: LineRange | null,
  found: Patches["found"],
) {
  return useMemo(() => {
    const marks = new Map<string, readonly Mark[]>();
    const at = new Map<string, readonly WireComment[]>();
    const keyOf = (path: string, { side, line }: Mark) => `${side} ${line} ${path}`;
    for (const [path, patch] of found) {
      if (patch.state !== "read") continue;
      const ofFile = comments.filter((comment) => comment.path === path);
      const places: Mark[] = [];
      for (const thread of threadsOf(ofFile, patch.lines)) {
        places.push({ side: thread.side, line: thread.line });
        at.set(keyOf(path, thread), thread.comments);
      }
      if (editing?.path === path && lineAt(patch.lines, editing.side, editing.endLine)) {
        const mark = { side: editing.side, line: editing.endLine };
        if (!at.has(keyOf(path, mark))) places.push(mark);
      }
      if (places.length > 0) marks.set(path, places);
    }
    return { marks, at: (path: string, mark: Mark) => at.get(keyOf(path, mark)) ?? NO_COMMENTS };
  }, [comments, editing, found]);
}

function countByPath(comments: readonly WireComment[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path, status } of comments)
    if (status !== "resolved") counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

type AnnouncerProps = {
  readonly cursor: LineRange | null;
  readonly current: string | null;
  readonly files: readonly ChangedFile[];
  readonly linesIn: (path: string) => readonly PatchLine[];
};

const MAX_SPOKEN = 200;

/** Says where the keyboard is; the lines themselves have no roles. */
function Announcer({ cursor, current, files, linesIn }: AnnouncerProps) {
  const text = useTexts(CHANGES);
  const format = useFormat();
  let words = "";
  if (cursor) {
    const line = linesIn(cursor.path).find(
      (each) => each.side === cursor.side && each.line === cursor.endLine,
    );
    words = text.at(
      visibleName(cursor.path),
      cursor.endLine,
      cursor.side,
      text.lineWords[line?.kind ?? "same"],
      (line?.text ?? "").slice(0, MAX_SPOKEN),
    );
  } else if (current !== null) {
    const index = files.findIndex(({ path }) => path === current) + 1;
    const place = text.place(format.number(index), format.number(files.length));
    words = text.atFile(visibleName(current), place);
  }
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  );
}
