export const HOUR_MS = 60 * 60 * 1_000;
