/** Letters of any language, so that a Japanese template can name its values in Japanese. */
export const VALUE_NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_-]{0,39}$/u;

/** `\{{` stands for two braces; `{{name}}` for a value. Every other brace is itself. */
const MARK = /\\\{\{|\{\{\s*([\p{L}_][\p{L}\p{M}\p{N}_-]{0,39})\s*\}\}/gu;

/** The names in a text, each once. */
export function placeholdersIn(text: string): readonly string[] {
  const names = [...text.matchAll(MARK)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)];
}

/** Replaces in one pass: braces in a value are not read as a placeholder. */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(MARK, (found: string, name: string | undefined) =>
    name === undefined ? "{{" : (values.get(name) ?? found),
  );
}

/** A text that `fillPlaceholders` gives back unchanged. */
export function escapePlaceholders(text: string): string {
  return text.replaceAll("{{", String.raw`\{{`);
}
