/** The first segmenter of a process takes 9 ms, and most texts are short. */
let graphemes: Intl.Segmenter | undefined;
const ELLIPSIS = "...";
const FENCE = "```";
/** An opened mark that has no end on its line: bold, italic or strikethrough. */
const OPEN_MARKS = [
  /(?<![\w*])\*(?=[^\s*])[^*]*$/,
  /(?<![\w_])_(?=[^\s_])[^_]*$/,
  /(?<![\w~])~(?=[^\s~])[^~]*$/,
];

/**
 * The beginning of an escaped text with "..." in at most `limit` UTF-16 units: what Slack counts is
 * not documented, and this is the strictest unit. Never cuts inside a grapheme, `<…>` or `&…;`, and
 * closes code and marks that are open at the cut.
 */
export function truncateMrkdwn(text: string, limit: number): string {
  if (text.length <= limit) return text;
  for (let at = limit - ELLIPSIS.length; at > 0;) {
    const head = text.slice(0, safeCut(text, at)).trimEnd();
    const short = closed(head);
    if (short.length <= limit) return short;
    at = head.length - (short.length - limit);
  }
  return ELLIPSIS.slice(0, Math.max(0, limit));
}

/** The same for an escaped text that is not mrkdwn, so that its marks need no end. */
export function truncatePlain(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, safeCut(text, limit - ELLIPSIS.length)).trimEnd()}${ELLIPSIS}`;
}

function safeCut(text: string, at: number): number {
  graphemes ??= new Intl.Segmenter("ja", { granularity: "grapheme" });
  const grapheme = graphemes.segment(text).containing(at)?.index ?? at;
  return outsideBackticks(text, outsideEntity(text, outsideToken(text, grapheme)));
}

function outsideToken(text: string, at: number): number {
  const opened = text.lastIndexOf("<", at - 1);
  return at > 0 && opened > text.lastIndexOf(">", at - 1) ? opened : at;
}

function outsideEntity(text: string, at: number): number {
  const begun = /&[a-z]{0,4}$/.exec(text.slice(Math.max(0, at - 5), at));
  return begun ? at - begun[0].length : at;
}

/** A fence that is cut in half would be read as other code marks. */
function outsideBackticks(text: string, at: number): number {
  if (text[at] !== "`") return at;
  let start = at;
  while (text[start - 1] === "`") start--;
  return start;
}

function closed(head: string): string {
  const parts = head.split(FENCE);
  if (parts.length % 2 === 0) return `${head}${ELLIPSIS}\n${FENCE}`;
  const line = (parts.at(-1) ?? "").split("\n").at(-1) ?? "";
  const codes = line.split("`");
  if (codes.length % 2 === 0) return `${head}\`${ELLIPSIS}`;
  const prose = codes.filter((_, index) => index % 2 === 0).join("");
  const open = OPEN_MARKS.flatMap((mark) => mark.exec(prose) ?? [])
    .toSorted((left, right) => left.length - right.length)
    .map((tail) => tail[0]);
  return `${head}${open.join("")}${ELLIPSIS}`;
}
