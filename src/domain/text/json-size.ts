export type JsonLimits = {
  /** Characters of all keys and texts together. */
  readonly chars: number;
  /** Objects, lists and everything in them. */
  readonly values: number;
};

/**
 * Whether a JSON value is larger than the limits. It stops at the first limit that is passed and
 * does not use recursion, so it is cheap for values of any size and depth.
 */
export function isLargerThan(value: unknown, limits: JsonLimits): boolean {
  let chars = 0;
  let values = 0;
  const open: Iterator<unknown>[] = [[value].values()];
  for (let current = open.at(-1); current; current = open.at(-1)) {
    const { done, value: next } = current.next();
    if (done === true) {
      open.pop();
      continue;
    }
    values++;
    if (typeof next === "string") chars += next.length;
    else if (Array.isArray(next)) open.push(next.values());
    else if (typeof next === "object" && next !== null) {
      open.push(Object.values(next).values());
      for (const key of Object.keys(next)) chars += key.length;
    }
    if (chars > limits.chars || values > limits.values) return true;
  }
  return false;
}
