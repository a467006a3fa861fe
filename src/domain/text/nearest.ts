/** The known word that is most similar, or undefined if none is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  return nearestFew(word, known, 1)[0];
}

/** The most similar known words, the closest first. */
export function nearestFew(
  word: string,
  known: readonly string[],
  count: number,
): readonly string[] {
  const wanted = plain(word);
  // A word of thousands of letters is not a typo, and the comparison is quadratic.
  if (wanted.length > 60) return [];
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  return known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, plain(candidate)) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** People confuse `max_concurrent`, `MaxConcurrent` and `maxConcurrent`. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** Levenshtein, with a swap of two neighbours counted once. */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
