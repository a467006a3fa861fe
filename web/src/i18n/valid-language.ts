const FALLBACK = "en-US";

/**
 * Some browsers take their language from the environment, where it may be no valid tag, such as
 * `en-US@posix`. Intl throws for it, and uPlot passes it to Intl when it is loaded.
 */
export function ensureValidLanguage(browser: { readonly language: string }): void {
  if (isValid(browser.language)) return;
  Object.defineProperty(browser, "language", { value: FALLBACK, configurable: true });
}

function isValid(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
