/** Such as `gpu` or `repo:app`. */
export const LABEL = /^[a-z0-9][a-z0-9._:/-]{0,62}$/;
export const MAX_LABELS = 20;

export function hasLabels(offered: readonly string[], wanted: readonly string[]): boolean {
  return missingLabels(offered, wanted).length === 0;
}

/** Those of `wanted` that are not offered. */
export function missingLabels(
  offered: readonly string[],
  wanted: readonly string[],
): readonly string[] {
  return wanted.filter((label) => !offered.includes(label));
}
