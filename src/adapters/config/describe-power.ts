import type { Power } from "./powers.ts";

/**
 * What exactly the file says, for the person who decides: nothing is left out, and a character that
 * cannot be seen is shown as its code.
 */
export function describePower({ content }: Power): readonly string[] {
  if (content === null) return [];
  if (typeof content !== "object") return [shortText(content)];
  const fields = Object.entries(content).filter(([key]) => key !== "command" && key !== "args");
  return [...commandLine(content), ...fields.flatMap(([key, value]) => fieldLines(key, value))];
}

function commandLine(content: object): readonly string[] {
  if (!("command" in content)) return [];
  const args = "args" in content && Array.isArray(content.args) ? content.args : [];
  return [`$ ${[content.command, ...args].map((part) => quoted(String(part))).join(" ")}`];
}

function fieldLines(key: string, value: unknown): readonly string[] {
  if (key === "check" && Array.isArray(value)) {
    return [`check: $ ${value.map((part) => quoted(String(part))).join(" ")}`];
  }
  if (typeof value === "string" && value.includes("\n")) {
    return [`${visible(key)}:`, ...value.split("\n").map((line) => `  ${visible(line)}`)];
  }
  if (typeof value === "string") return [`${visible(key)}: ${visible(value)}`];
  if (Array.isArray(value)) return [`${visible(key)}: ${value.map(shortText).join(", ")}`];
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).map(
      ([name, each]) => `${visible(key)}.${visible(name)}: ${shortText(each)}`,
    );
  }
  return [`${visible(key)}: ${String(value)}`];
}

function shortText(value: unknown): string {
  return visible(typeof value === "string" ? value : JSON.stringify(value));
}

/** As a shell would need it: where an argument ends must be visible. */
function quoted(text: string): string {
  const shown = visible(text);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
