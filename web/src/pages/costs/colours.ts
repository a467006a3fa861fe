/** Colours that mean no status. The last one is for “Others”. */
export const COLOURS = ["#b79cff", "#e9dfc9", "#5fc4c9", "#e08fb5", "#c9a86a", "#8f86a8"] as const;

export function colourOf(index: number): string {
  return COLOURS[Math.min(index, COLOURS.length - 1)] ?? COLOURS[0];
}
