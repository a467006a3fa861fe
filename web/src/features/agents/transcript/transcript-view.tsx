import { ArrowDownToLine, LoaderCircle } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Entry } from "../../../../../src/contract/transcript/entries.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { isTyping } from "../../../ui/is-typing.ts";
import { ErrorNote } from "../../../ui/notes.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { ScrollList } from "../../../ui/virtual-list.tsx";
import { TEXTS } from "../texts.ts";
import { EntryRow } from "./entry-row.tsx";
import type { TranscriptState } from "./transcript.ts";

export type TranscriptViewProps = {
  readonly state: TranscriptState;
  readonly earlier: () => Promise<void>;
  readonly isLive: boolean;
  readonly isQueued: boolean;
};

const HEIGHT = "h-[calc(100dvh-24.5rem)] min-h-72 lg:h-[calc(100dvh-17.5rem)]";

export function TranscriptView({ state, earlier, isLive, isQueued }: TranscriptViewProps) {
  const text = useTexts(TEXTS);
  const { entries, error } = state;
  const isOver = !isLive && state.offset >= state.size;
  const [follow, setFollow] = useState(isLive);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const seen = useRef(0);
  if (follow) seen.current = entries.length;
  const toggle = useCallback((key: string) => setOpened((before) => flip(before, key)), []);
  useFollowKey(() => setFollow((is) => !is));
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      {error !== null && (
        <div className="p-2">
          <ErrorNote error={error} />
        </div>
      )}
      {entries.length === 0 ? (
        <p className={`grid place-items-center px-4 text-center text-text-3 ${HEIGHT}`}>
          {isQueued ? text.queued : isLive ? text.waiting : text.noTranscript}
        </p>
      ) : (
        <ScrollList
          label={text.transcript}
          className={`${HEIGHT} py-1.5`}
          count={entries.length}
          keyOf={(index) => entries[index]?.key ?? index}
          estimate={(index) => heightOf(entries[index])}
          follow={follow}
          onFollow={setFollow}
          head={<Skipped state={state} earlier={earlier} />}
          render={(index) => {
            const entry = entries[index];
            return (
              entry && (
                <EntryRow
                  entry={entry}
                  isOver={isOver}
                  isOpen={opened.has(entry.key)}
                  onToggle={toggle}
                />
              )
            );
          }}
        />
      )}
      <Foot
        state={state}
        isLive={isLive}
        follow={follow}
        fresh={isLive ? entries.length - seen.current : 0}
        onFollow={() => setFollow(!follow)}
      />
    </div>
  );
}

function flip(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(key)) after.add(key);
  return after;
}

const LINE_PX = 22;
const CHARS_PER_LINE = 60;

function heightOf(entry: Entry | undefined): number {
  if (entry?.kind === "tool") return 42;
  if (entry?.kind !== "text") return 30;
  return 8 + LINE_PX * Math.max(1, Math.ceil(entry.text.length / CHARS_PER_LINE));
}

type FootProps = {
  readonly state: TranscriptState;
  readonly isLive: boolean;
  readonly follow: boolean;
  readonly fresh: number;
  readonly onFollow: () => void;
};

function Foot({ state, isLive, follow, fresh, onFollow }: FootProps) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const isReading = state.size > 0 && state.offset < state.size;
  const read = state.offset - state.skipped;
  const percent = Math.floor((read / Math.max(1, state.size - state.skipped)) * 100);
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-2">
      <Button
        size="small"
        look={follow ? "violet" : "plain"}
        aria-pressed={follow}
        icon={<ArrowDownToLine size={13} aria-hidden />}
        onPress={onFollow}
      >
        {follow ? text.following : text.follow}
        {!follow && fresh > 0 && <span className="font-mono">· {text.fresh(fresh)}</span>}
      </Button>
      <p className="flex items-center gap-2 text-xs text-text-3">
        {isReading && !state.isComplete && (
          <span className="inline-flex items-center gap-1">
            <LoaderCircle size={12} aria-hidden className="animate-spin" />
            {!isLive || percent < 100 ? text.reading(percent) : null}
          </span>
        )}
        <span className="font-mono">{text.rows(format.number(state.entries.length))}</span>
        <span className="hidden sm:inline">{text.followHint}</span>
      </p>
    </div>
  );
}

function Skipped({ state, earlier }: Pick<TranscriptViewProps, "state" | "earlier">) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const load = useAction(earlier);
  if (state.skipped === 0) return null;
  return (
    <p className="flex flex-wrap items-center justify-center gap-2 p-2 text-xs text-text-3">
      {text.skipped(`${format.compact(state.skipped)}B`)}
      <Button size="small" onPress={() => void load.run()} isPending={load.isRunning}>
        {text.earlier}
      </Button>
    </p>
  );
}

function useFollowKey(onFollow: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key.toLowerCase() === "f") onFollow();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
