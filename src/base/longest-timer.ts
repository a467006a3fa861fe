/** The longest delay of setTimeout; with a longer one it would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
