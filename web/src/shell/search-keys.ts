const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys that open the search, as they are written on the keyboard of this machine. */
export const SEARCH_KEYS = IS_APPLE ? "⌘ K" : "Ctrl K";
