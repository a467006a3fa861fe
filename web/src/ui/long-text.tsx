import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useFormat } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { visible } from "../text/visible.ts";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { LONG_TEXT } from "./long-text-texts.ts";

export type LongTextProps = {
  readonly text: string;
  /** Lines shown before “Read in full”. */
  readonly lines?: number;
  /** Shows the full text at once; a text to be decided on must never be hidden. */
  readonly full?: boolean;
  readonly mono?: boolean;
  readonly className?: string;
};

const CHARS_PER_LINE = 90;
/** Larger text nodes make browsers slow. */
const AT_ONCE = 30_000;
const PIECE = 600;

/** Text of any length, from a sentence to ten megabytes. */
export function LongText({ text: given, lines = 8, full = false, mono, className }: LongTextProps) {
  const text = useMemo(() => visible(given), [given]);
  const words = useTexts(LONG_TEXT);
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const clipped = useMemo(() => (full ? text : clip(text, lines)), [text, lines, full]);
  const isLong = clipped.length < text.length;
  const look = cx(
    "whitespace-pre-wrap [unicode-bidi:plaintext]",
    mono && "font-mono text-xs",
    className,
  );
  return (
    <div className="min-w-0">
      {isOpen || !isLong ? (
        <Whole text={text} look={look} />
      ) : (
        <p className={look}>
          {clipped}
          <span className="text-text-3">…</span>
        </p>
      )}
      {isLong && (
        <Button
          look="ghost"
          size="small"
          className="mt-1 -ml-2 text-violet"
          aria-expanded={isOpen}
          icon={
            isOpen ? <ChevronUp size={13} aria-hidden /> : <ChevronDown size={13} aria-hidden />
          }
          onPress={() => setOpen(!isOpen)}
        >
          {isOpen ? words.less : words.all(format.number(text.length))}
        </Button>
      )}
    </div>
  );
}

function clip(text: string, lines: number): string {
  // Split only what can be shown.
  const most = text.slice(0, lines * CHARS_PER_LINE);
  const cut = most.split("\n").slice(0, lines).join("\n");
  // Don't hide just a few words behind a button.
  return text.length - cut.length < CHARS_PER_LINE && text.split("\n").length <= lines + 1
    ? text
    : cut;
}

function Whole({ text, look }: { readonly text: string; readonly look: string }) {
  return text.length <= AT_ONCE ? (
    <p className={look}>{text}</p>
  ) : (
    <Pieces text={text} look={look} />
  );
}

/** Only visible pieces are in the document. */
function Pieces({ text, look }: { readonly text: string; readonly look: string }) {
  const words = useTexts(LONG_TEXT);
  const scroller = useRef<HTMLDivElement>(null);
  const pieces = useMemo(() => piecesOf(text), [text]);
  const virtual = useVirtualizer({
    count: pieces.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 66,
    overscan: 8,
  });
  return (
    // A scroll box must be reachable by keyboard.
    <div
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={words.whole}
      className="max-h-[60vh] overflow-y-auto rounded-lg border border-line bg-base px-3 py-2"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => (
          <p
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className={cx(look, "absolute inset-x-0 top-0")}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {pieces[item.index] || " "}
          </p>
        ))}
      </div>
    </div>
  );
}

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const line of text.split("\n")) {
    if (line.length <= PIECE) pieces.push(line);
    else for (let at = 0; at < line.length; at += PIECE) pieces.push(line.slice(at, at + PIECE));
  }
  return pieces;
}
