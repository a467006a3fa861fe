const OFFSETS = [0xcbf29ce484222325n, 0x84222325cbf29ce4n] as const;
const PRIME = 0x100000001b3n;
const MASK = 0xffffffffffffffffn;

/**
 * The ids of spans follow from the ids of rows. So a span that ends after a restart, days later, still
 * belongs to the trace in which it began, and nothing about traces is stored.
 */
export function traceIdOf(rowId: string): string {
  return hash(`trace ${rowId}`, OFFSETS[0]) + hash(`trace ${rowId}`, OFFSETS[1]);
}

export function spanIdOf(rowId: string): string {
  return hash(`span ${rowId}`, OFFSETS[0]);
}

/** FNV-1a with 64 bits. All zeros would not be a valid id. */
function hash(text: string, offset: bigint): string {
  let value = offset;
  for (const unit of new TextEncoder().encode(text))
    value = ((value ^ BigInt(unit)) * PRIME) & MASK;
  return (value === 0n ? 1n : value).toString(16).padStart(16, "0");
}
