/** Letters of any language, so that a Japanese template can name its values in Japanese. */
export const VALUE_NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_-]{0,39}$/u;

/** `\{{` stands for two braces; `{{name}}` for a value. Every other brace is itself. */
const MARK = /\\\{\{|\{\{\s*([\p{L}_][\p{L}\p{M}\p{N}_-]{0,39})\s*\}\}/gu;

export type TemplatePart = { readonly text: string } | { readonly name: string };

/** A text as its plain parts and its placeholders, in order. */
export function partsOf(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const { index, 0: found, 1: name } of text.matchAll(MARK)) {
    parts.push({ text: text.slice(end, index) }, name === undefined ? { text: "{{" } : { name });
    end = index + found.length;
  }
  parts.push({ text: text.slice(end) });
  return parts.filter((part) => "name" in part || part.text !== "");
}

/** The names in a text, each once. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set(partsOf(text).flatMap((part) => ("name" in part ? [part.name] : [])))];
}

/** Braces in a value are not read as a placeholder. */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>): string {
  return partsOf(text)
    .map((part) => ("name" in part ? (values.get(part.name) ?? `{{${part.name}}}`) : part.text))
    .join("");
}

/** A text that `fillPlaceholders` gives back unchanged. */
export function escapePlaceholders(text: string): string {
  return text.replaceAll("{{", String.raw`\{{`);
}
