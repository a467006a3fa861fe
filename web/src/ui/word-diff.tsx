import { diffArrays } from "diff";
import { useMemo } from "react";
import { useTexts } from "../i18n/texts.ts";
import { visible } from "../text/visible.ts";
import { LONG_TEXT } from "./long-text-texts.ts";
import { LongText } from "./long-text.tsx";

export type WordDiffProps = { readonly before: string; readonly after: string };

type Piece = { readonly kind: "same" | "added" | "removed"; readonly text: string };

const WORDS = new Intl.Segmenter("ja", { granularity: "word" });
const GIVE_UP_MS = 400;
/** Longer texts are compared line by line. */
const BY_WORD_UP_TO = 40_000;
const AT_MOST = 2_000_000;
/** An unchanged run this short between two changes is shown as changed. */
const ISLAND = 2;

/** Diff by words. Intl.Segmenter finds them, because Japanese has no spaces. */
export function WordDiff({ before, after }: WordDiffProps) {
  const text = useTexts(LONG_TEXT);
  const pieces = useMemo(() => compare(visible(before), visible(after)), [before, after]);
  if (!pieces) {
    return (
      <div className="flex flex-col gap-2">
        <p className="text-timeout">{text.tooDifferent}</p>
        <LongText text={after} full />
      </div>
    );
  }
  return (
    <div>
      {before === after && <p className="text-text-3">{text.same}</p>}
      <p className="leading-7 whitespace-pre-wrap">
        {pieces.map((piece, index) => (
          <PieceText key={index} piece={piece} />
        ))}
      </p>
    </div>
  );
}

function PieceText({ piece: { kind, text } }: { readonly piece: Piece }) {
  switch (kind) {
    case "same":
      return text;
    case "added":
      return <ins className="rounded-sm bg-success/20 px-px text-success no-underline">{text}</ins>;
    case "removed":
      return <del className="rounded-sm bg-danger/25 px-px text-failed">{text}</del>;
  }
}

function compare(before: string, after: string): readonly Piece[] | undefined {
  const length = before.length + after.length;
  if (length > AT_MOST) return undefined;
  const split = length <= BY_WORD_UP_TO ? wordsOf : linesOf;
  const changes = diffArrays(split(before), split(after), { timeout: GIVE_UP_MS });
  return (
    changes &&
    withoutIslands(
      changes.map(({ added, removed, value }) => ({
        kind: added ? "added" : removed ? "removed" : "same",
        text: value.join(""),
      })),
    )
  );
}

function wordsOf(text: string): string[] {
  return Array.from(WORDS.segment(text), ({ segment }) => segment);
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function withoutIslands(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed) result.push({ kind: "removed", text: removed });
    if (added) result.push({ kind: "added", text: added });
    removed = "";
    added = "";
  };
  for (const [index, { kind, text }] of pieces.entries()) {
    if (kind === "removed") removed += text;
    if (kind === "added") added += text;
    if (kind !== "same") continue;
    const isIsland =
      text.length <= ISLAND &&
      !text.includes("\n") &&
      removed !== "" &&
      added !== "" &&
      index < pieces.length - 1;
    if (isIsland) {
      removed += text;
      added += text;
    } else {
      flush();
      result.push({ kind, text });
    }
  }
  flush();
  return result;
}
