/** A small set of shapes for the diagrams of docs/. Colours follow the theme of the page. */

export type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  /** `you`: a person acts here. `core`: the program itself. `off`: it has ended. */
  readonly look?: "box" | "you" | "core" | "off";
};

const LINE_HEIGHT = 22;

export function box({ x, y, width, height, lines, look }: Box): string {
  const top = y + height / 2 - ((lines.length - 1) * LINE_HEIGHT) / 2 + 5;
  const texts = lines.map(
    (line, index) =>
      `<text x="${x + width / 2}" y="${top + index * LINE_HEIGHT}" class="${index === 0 ? "head" : "small"}">${escape(line)}</text>`,
  );
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" class="${look ?? "box"}"/>${texts.join("")}`;
}

export function arrow(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  text = "",
): string {
  const above = text === "" ? "" : label((x1 + x2) / 2, (y1 + y2) / 2 - 8, text);
  return `<path d="M${x1} ${y1} L${x2} ${y2}" class="line" marker-end="url(#head)"/>${above}`;
}

/** An arrow with corners. */
export function path(points: readonly (readonly [number, number])[]): string {
  const d = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join(" ");
  return `<path d="${d}" class="line" marker-end="url(#head)"/>`;
}

export function label(x: number, y: number, text: string, look = "label"): string {
  return `<text x="${x}" y="${y}" class="${look}">${escape(text)}</text>`;
}

export function diagram(
  width: number,
  height: number,
  title: string,
  parts: readonly string[],
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">
<style>
svg { --surface: #fff; --line: #b9aed6; --text: #1d1929; --soft: #544d66; --violet: #5b36c9; --mark: #f0e9ff; --off: #a39db2; }
@media (prefers-color-scheme: dark) {
  svg { --surface: #14121b; --line: #4a4262; --text: #ede9f5; --soft: #b7b0c8; --violet: #b79cff; --mark: #2a2140; --off: #6c6482; }
}
text { font: 15px Inter, "Hiragino Sans", "Yu Gothic UI", "Noto Sans JP", "Noto Sans CJK JP", Meiryo, sans-serif; fill: var(--text); text-anchor: middle; }
.head { font-weight: 600; } .small, .label { font-size: 13px; fill: var(--soft); }
.left { font-size: 13px; fill: var(--soft); text-anchor: start; }
rect { fill: var(--surface); stroke: var(--line); stroke-width: 1.5; }
.you { fill: var(--mark); stroke: var(--violet); } .core { fill: var(--mark); stroke: var(--violet); stroke-width: 2.5; }
.off { stroke: var(--off); stroke-dasharray: 5 5; }
path { fill: none; stroke: var(--soft); stroke-width: 1.5; } .dashed { stroke-dasharray: 5 5; }
marker path { fill: var(--soft); stroke: none; }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>
${parts.join("\n")}
</svg>
`;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
