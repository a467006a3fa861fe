// The part of docs/writing.md that a program can check: words and sentence openings that hide what
// the subject is.

type Rule = { readonly pattern: RegExp; readonly reason: string };

/** These are tested on one sentence, without its inline code and its allowed phrases. */
const RULES: readonly Rule[] = [
  { pattern: /^Of (?!course\b)/, reason: 'a fragment that begins with "Of"' },
  { pattern: /^(By|For|To|With) who(m|ever)?\b/, reason: "a fragment without a subject" },
  { pattern: /^(Who|Whom|Whose)\b(?!.*\?$)/, reason: '"who" as the subject' },
  { pattern: /[;:,] who (?!may\b|can\b|has to\b)\w+s\b/, reason: '"who" as the subject' },
  { pattern: /\b(whoever|whomever)\b/i, reason: '"whoever"' },
  { pattern: /\b(nobody|somebody)\b/i, reason: '"nobody" or "somebody"' },
  { pattern: /\b(is|are|was|were|been) told\b/i, reason: '"is told"' },
  { pattern: /\bhears?\b/i, reason: '"hears"' },
  { pattern: /\b(the seed's|the seed (?=says|has|gives|wants|asks|names))/i, reason: "the seed" },
  { pattern: /\bseed,? (section )?\d+(\.\d+)*\b|\(seed[ ,)]/i, reason: "the seed" },
];

/** Phrases that are right: each is removed from a sentence before the rules are tested. */
const ALLOWED: readonly RegExp[] = [/\bfor somebody else\b/gi];

export type Finding = {
  readonly line: number;
  readonly sentence: string;
  readonly reason: string;
};

type Passage = { readonly line: number; readonly text: string };

/** What breaks the rules in the comments and test names of a program, or in a Markdown document. */
export function findFragments(file: string, source: string): readonly Finding[] {
  const lines = source.split("\n");
  const passages = file.endsWith(".md")
    ? proseOf(lines)
    : [...commentsOf(lines, file), ...testNamesOf(lines)];
  return passages.flatMap(checkPassage).toSorted((a, b) => a.line - b.line);
}

/** A sentence ends with a point and a space; what follows may be quoted or in brackets. */
const SENTENCE_ENDS = /[.!?]["')”」]?\s+/g;

function checkPassage({ line, text }: Passage): readonly Finding[] {
  const ends = [...text.matchAll(SENTENCE_ENDS)].map((end) => end.index + end[0].length);
  return [0, ...ends].flatMap((from, index) => {
    const sentence = flat(text.slice(from, ends[index]));
    const reason = reasonFor(sentence);
    return reason
      ? [{ line: line + text.slice(0, from).split("\n").length - 1, sentence, reason }]
      : [];
  });
}

function reasonFor(sentence: string): string | undefined {
  const words = ALLOWED.reduce(
    (left, phrase) => left.replaceAll(phrase, " "),
    sentence.replaceAll(/`[^`]*`/g, "`…`"),
  );
  return RULES.find(({ pattern }) => pattern.test(words))?.reason;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

const COMMENT_LINE = /^\s*(?:\{?\/\*\*?|\*(?!\/)|\/\/)\s?(.*?)\s*(?:\*\/\}?)?$/;
const HASH_COMMENT_LINE = /^\s*#(?!!)\s?(.*)$/;
/** Behind code; the space in front keeps addresses in strings out. */
const TRAILING = /[;,{}()[\]>\w"'`] \/\/ (.*)$/;

function commentsOf(lines: readonly string[], file: string): readonly Passage[] {
  const whole = /\.ya?ml$/.test(file) ? HASH_COMMENT_LINE : COMMENT_LINE;
  const passages: { line: number; text: string }[] = [];
  let open: { line: number; text: string } | undefined;
  for (const [index, line] of lines.entries()) {
    const comment = whole.exec(line)?.[1];
    if (comment !== undefined) {
      if (open) open.text += `\n${comment}`;
      else passages.push((open = { line: index + 1, text: comment }));
      continue;
    }
    open = undefined;
    const trailing = TRAILING.exec(line)?.[1];
    if (trailing !== undefined) passages.push({ line: index + 1, text: trailing });
  }
  return passages;
}

const TEST_CALL = /\b(?:test|it|describe)(?:\.\w+)*\(|^\s*\]\)\(|^\)\(/;
const QUOTED = /(["'`])(.{12,}?)\1(?:,|$)/;

/** Names on the line of the call or on the next one; each is tested like a sentence. */
function testNamesOf(lines: readonly string[]): readonly Passage[] {
  return lines.flatMap((line, index) => {
    const call =
      TEST_CALL.exec(line) ?? (TEST_CALL.test(lines[index - 1] ?? "") ? { 0: "" } : null);
    const name = call && QUOTED.exec(line.trimStart().slice(call[0].trimStart().length));
    if (name?.index !== 0 || name[2] === undefined) return [];
    return [{ line: index + 1, text: name[2].charAt(0).toUpperCase() + name[2].slice(1) }];
  });
}

/** Paragraphs, list items and table cells; no code blocks and no headings. */
function proseOf(lines: readonly string[]): readonly Passage[] {
  const passages: { line: number; text: string }[] = [];
  let isCode = false;
  let open: { line: number; text: string } | undefined;
  for (const [index, line] of lines.entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const isProse = !isCode && !/^\s*(```|#|$)/.test(line);
    const text = line.replace(/^\s*([-*]|\d+\.)\s+/, "");
    if (!isProse) open = undefined;
    else if (line.startsWith("|")) {
      for (const cell of line.split("|")) passages.push({ line: index + 1, text: cell.trim() });
    } else if (open && text === line) open.text += `\n${text}`;
    else passages.push((open = { line: index + 1, text }));
  }
  return passages;
}
