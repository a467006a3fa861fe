import type { Locale, Texts } from "./locale.ts";
import { Refusal, refusalIn } from "./refusal.ts";

/** An error whose sentence a person reads. The message, for the log, is the English one. */
export class SpokenError extends Error {
  readonly texts: Texts;

  constructor(texts: Texts) {
    super(texts.en);
    this.name = "SpokenError";
    this.texts = texts;
  }
}

/** What a person reads about an error. */
export function messageIn(error: unknown, locale: Locale): string {
  if (error instanceof SpokenError) return error.texts[locale];
  if (error instanceof Refusal) {
    const { message, hint } = refusalIn(error, locale);
    return locale === "ja" ? `${message}${hint}` : `${message} ${hint}`;
  }
  return error instanceof Error ? error.message : String(error);
}
