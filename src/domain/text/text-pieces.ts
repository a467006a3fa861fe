/** How far a cut moves to find a place that is certainly between two characters. */
const MAX_SHIFT = 64;

/** Cuts a text into pieces of about the given length, never inside a surrogate pair. */
export function* piecesOf(text: string, pieceChars: number): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const until = cutAfter(text, from + pieceChars);
    yield text.slice(from, until);
    from = until;
  }
}

/** An ASCII character begins a new character as people see it; emoji can consist of several. */
function cutAfter(text: string, at: number): number {
  for (let place = at; place < at + MAX_SHIFT; place++) {
    if (!(text.charCodeAt(place) > 0x7e)) return Math.min(place, text.length);
  }
  const isInPair = (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return isInPair ? at + 1 : at;
}
