import { visibleLine } from "../../contract/visible-text.ts";
import type { Power } from "./powers.ts";

/**
 * The setting as text for the person who decides: complete, with invisible characters shown as
 * their code.
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
    return [`${visibleLine(key)}:`, ...value.split("\n").map((line) => `  ${visibleLine(line)}`)];
  }
  if (typeof value === "string") return [`${visibleLine(key)}: ${visibleLine(value)}`];
  if (Array.isArray(value)) return [`${visibleLine(key)}: ${value.map(shortText).join(", ")}`];
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).map(
      ([name, each]) => `${visibleLine(key)}.${visibleLine(name)}: ${shortText(each)}`,
    );
  }
  return [`${visibleLine(key)}: ${String(value)}`];
}

function shortText(value: unknown): string {
  return visibleLine(typeof value === "string" ? value : JSON.stringify(value));
}

/** Quoted as in a shell, so that the end of each argument is visible. */
function quoted(text: string): string {
  const shown = visibleLine(text);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
