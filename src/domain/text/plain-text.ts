/** Escape sequences of terminals: colours, cursor movements, titles, hyperlinks. */
// oxlint-disable-next-line no-control-regex
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** Control characters but tab and newline; C1 controls. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * Invisible characters: zero-width characters, changes of direction, fillers, line separators, and
 * the tags and variations that can carry a hidden text. Emoji need U+FE0F.
 */
const UNSEEN = /(?!\ufe0f)\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb]/gu;

/** A foreign text as a person would see it: without hidden characters and control sequences. */
export function plainText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(ANSI, "")
    .replaceAll(CONTROLS, "")
    .replaceAll(UNSEEN, "");
}
