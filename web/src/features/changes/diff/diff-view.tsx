import type { CodeViewDiffItem, CodeViewItem, DiffLineAnnotation } from "@pierre/diffs";
import { CodeView, type CodeViewHandle, WorkerPoolContextProvider } from "@pierre/diffs/react";
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTheme } from "../../../ui/theme.ts";
import type { ChangedFile } from "../change-data.ts";
import type { LineRange } from "./cursor.ts";
import { diffOf, emptyDiff } from "./diff-file.ts";
import type { Look } from "./look.ts";
import { lineAt, type Side } from "./patch-lines.ts";
import { DARK, LIGHT } from "./themes.ts";
import { hasPatch, type Patch, type Patches } from "./use-patches.ts";

export type Mark = { readonly side: Side; readonly line: number };

export type DiffViewProps = {
  readonly files: readonly ChangedFile[];
  readonly patches: Patches;
  /** Names the content, for the cache of highlighted lines. */
  readonly sourceKey: string;
  readonly look: Look;
  readonly label: string;
  readonly isFolded: (path: string) => boolean;
  /** Lines with something below them, by path. The identity of an array changes with its content. */
  readonly marks: ReadonlyMap<string, readonly Mark[]>;
  readonly cursor: LineRange | null;
  /** Scrolls to the file, or to the cursor if it is in this file. A new object scrolls again. */
  readonly goTo: { readonly path: string } | null;
  readonly canPick: boolean;
  readonly onPick: (range: LineRange) => void;
  readonly renderHeader: (path: string) => ReactNode;
  readonly renderMark: (path: string, mark: Mark) => ReactNode;
};

type Item = CodeViewDiffItem<Mark>;

const POOL = {
  workerFactory: () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
  poolSize: 2,
  mainThreadMaxCharacters: 4_000,
};
const THEME = { dark: DARK, light: LIGHT };
const HIGHLIGHTER = { theme: THEME, langs: [], lineDiffType: "word-alt" as const };

/** The diff of all files in one scroll box. Only lines near the view are in the page. */
export function DiffView(props: DiffViewProps) {
  return (
    <WorkerPoolContextProvider poolOptions={POOL} highlighterOptions={HIGHLIGHTER}>
      <Files {...props} />
    </WorkerPoolContextProvider>
  );
}

function Files(props: DiffViewProps) {
  const { patches, label, cursor, goTo, canPick, renderHeader, renderMark } = props;
  const { style, wrap } = props.look;
  const themeType = useTheme();
  const handle = useRef<CodeViewHandle<Mark, undefined>>(null);
  const items = useItems(props);
  const onPick = useEffectEvent((path: string, range: Picked) => {
    const picked = pickedRange(path, range, patches.found.get(path));
    if (picked) props.onPick(picked);
  });
  const look = useWantedPatches(handle, items, props);
  useScroll(handle, cursor, goTo);
  const options = useMemo(
    () => ({
      theme: THEME,
      themeType,
      diffStyle: style,
      overflow: wrap ? ("wrap" as const) : ("scroll" as const),
      lineDiffType: "word-alt" as const,
      hunkSeparators: "metadata" as const,
      stickyHeaders: true,
      enableGutterUtility: canPick,
      lineHoverHighlight: "number" as const,
      itemMetrics: { diffHeaderHeight: 40, lineHeight: 20 },
      layout: { paddingTop: 0, paddingBottom: 0, gap: 8 },
      onPostRender: (file: HTMLElement) => {
        makeCodeFocusable(file, !wrap);
        look();
      },
      onGutterUtilityClick: (range: Picked, context: { readonly item: { readonly id: string } }) =>
        onPick(context.item.id, range),
    }),
    [themeType, style, wrap, canPick, look],
  );
  const setBox = useMemo(() => focusable(label), [label]);
  return (
    <CodeView<Mark>
      ref={handle}
      containerRef={setBox}
      className="diffs h-full min-h-0 overflow-y-auto overscroll-contain"
      items={items}
      options={options}
      selectedLines={cursor && { id: cursor.path, range: selectionOf(cursor) }}
      renderCustomHeader={({ id }) => renderHeader(id)}
      renderAnnotation={(...[annotation, , { id }]) => renderMark(id, annotation.metadata)}
    />
  );
}

/** The scroll box has no props for these. */
function focusable(label: string) {
  return (box: HTMLDivElement | null): void => {
    if (!box) return;
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", label);
  };
}

/**
 * Lines that do not wrap are scrolled with the arrow keys, too. This runs after every drawing, so it
 * neither searches among the lines nor touches what is right already.
 */
function makeCodeFocusable(file: HTMLElement, isFocusable: boolean): void {
  const pre = [...(file.shadowRoot?.children ?? [])].find(({ tagName }) => tagName === "PRE");
  for (const code of pre?.children ?? []) {
    if (code.hasAttribute("tabindex") !== isFocusable) code.toggleAttribute("tabindex");
    if (isFocusable && code.getAttribute("tabindex") !== "0") code.setAttribute("tabindex", "0");
  }
}

type Made = {
  readonly patch: Patch | undefined;
  readonly isFolded: boolean;
  readonly marks: readonly Mark[] | undefined;
  readonly item: Item;
};

/** An item gets a new version when something of it changed: the viewer compares only versions. */
function useItems({ files, patches, isFolded, marks, sourceKey }: DiffViewProps): readonly Item[] {
  const [made] = useState(() => new Map<string, Made>());
  return useMemo(
    () =>
      files.map((file) => {
        const patch = patches.found.get(file.path);
        const text = patch?.state === "read" ? patch.text : null;
        const next = {
          patch,
          isFolded: text === null || isFolded(file.path),
          marks: marks.get(file.path),
        };
        const known = made.get(file.path);
        if (
          known?.patch === next.patch &&
          known?.isFolded === next.isFolded &&
          known.marks === next.marks
        )
          return known.item;
        const fileDiff =
          known && known.patch === patch
            ? known.item.fileDiff
            : text === null
              ? emptyDiff(file)
              : diffOf(file, text, `${sourceKey} ${file.path}`);
        const item: Item = {
          id: file.path,
          type: "diff",
          version: (known?.item.version ?? 0) + 1,
          collapsed: next.isFolded || fileDiff.hunks.length === 0,
          fileDiff,
          annotations: (next.marks ?? []).map(annotationOf),
        };
        made.set(file.path, { ...next, item });
        return item;
      }),
    [files, patches.found, isFolded, marks, sourceKey, made],
  );
}

function annotationOf(mark: Mark): DiffLineAnnotation<Mark> {
  return { side: sideOf(mark.side), lineNumber: mark.line, metadata: mark };
}

function sideOf(side: Side): "deletions" | "additions" {
  return side === "old" ? "deletions" : "additions";
}

function selectionOf({ side, line, endLine }: LineRange) {
  return { start: line, end: endLine, side: sideOf(side), endSide: sideOf(side) };
}

type Picked = { readonly start: number; readonly end: number; readonly side?: string | undefined };

function pickedRange(path: string, { start, end, side }: Picked, patch: Patch | undefined) {
  if (patch?.state !== "read") return null;
  const from = side === "deletions" ? "old" : "new";
  const first = lineAt(patch.lines, from, Math.min(start, end));
  const last = lineAt(patch.lines, from, Math.max(start, end));
  if (!first || !last) return null;
  // A selection that crosses removed and added lines is about its last line.
  const begin = first.side === last.side ? first.line : last.line;
  return { path, side: last.side, line: Math.min(begin, last.line), endLine: last.line };
}

type Handle = React.RefObject<CodeViewHandle<Mark, undefined> | null>;

const NEXT_FILES = 2;

/**
 * Asks for the patches of the files in view and of the next ones: after every scroll, and when the
 * returned function is called because something was drawn.
 */
function useWantedPatches(
  handle: Handle,
  items: readonly CodeViewItem<Mark>[],
  { files, patches, isFolded }: DiffViewProps,
): () => void {
  const frame = useRef(0);
  const want = useEffectEvent(() => {
    const seen = new Set(
      handle.current
        ?.getInstance()
        ?.getRenderedItems()
        .map(({ id }) => id),
    );
    const first = files.findIndex(({ path }) => seen.has(path));
    const last = files.findLastIndex(({ path }) => seen.has(path));
    const near = files.slice(Math.max(0, first), last + 1 + NEXT_FILES);
    patches.want(
      near.filter((file) => hasPatch(file) && !isFolded(file.path)).map(({ path }) => path),
    );
  });
  const soon = useEffectEvent(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => want());
  });
  const [look, setLook] = useState<() => void>(() => () => undefined);
  useEffect(() => {
    setLook(() => () => soon());
    return () => cancelAnimationFrame(frame.current);
  }, []);
  useEffect(() => soon(), [items]);
  useEffect(() => handle.current?.getInstance()?.subscribeToScroll(() => soon()), [handle]);
  return look;
}

function useScroll(handle: Handle, cursor: LineRange | null, goTo: DiffViewProps["goTo"]): void {
  const scroll = useEffectEvent((path: string) => {
    handle.current?.scrollTo(
      cursor?.path === path
        ? {
            type: "line",
            id: path,
            lineNumber: cursor.endLine,
            side: sideOf(cursor.side),
            align: "nearest",
            offset: 60,
          }
        : { type: "item", id: path, align: "start" },
    );
  });
  useEffect(() => {
    if (goTo) scroll(goTo.path);
  }, [goTo]);
}
