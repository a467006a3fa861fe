/**
 * JSON leaves U+007F to U+009F as they are, but a terminal obeys some of them: U+009B begins a command
 * as ESC does. Escaped, the text is the same JSON value.
 */
export function escapeControls(json: string): string {
  return json.replaceAll(
    /[\u007F-\u009F]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
