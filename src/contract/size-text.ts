const UNITS = ["B", "KB", "MB", "GB", "TB"];
const STEP = 1_024;

/**
 * A number of bytes with at most one decimal: 340 B, 1.2 MB. The units are powers of 1,024, as in the
 * settings (`workspace.maxTotal_mb: 20480` is 20 GB), so that a limit is the same number everywhere.
 */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= STEP - 0.5 && unit < UNITS.length - 1) {
    value /= STEP;
    unit++;
  }
  const digits = unit > 0 && value < 99.95 ? 1 : 0;
  return `${value.toFixed(digits).replace(/\.0$/, "")} ${UNITS[unit]}`;
}
