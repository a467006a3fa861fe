const MAX_LINE = 72;

/** JSON in as few lines as are easy to read: what fits into one line stays on it. */
export function readableJson(value: unknown): string {
  return write(value, "");
}

function write(value: unknown, indent: string): string {
  const line = JSON.stringify(value) ?? "null";
  if (typeof value !== "object" || value === null || indent.length + line.length <= MAX_LINE) {
    return line;
  }
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => `${inner}${write(each, inner)}`)
    : Object.entries(value).map(
        ([key, each]) => `${inner}${JSON.stringify(key)}: ${write(each, inner)}`,
      );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}
