import { reasonIn } from "../../../src/contract/reason-texts.ts";
import { type Locale, useLocale } from "./locale.ts";

const IN: Record<Locale, (reason: string) => string> = {
  ja: (reason) => reasonIn(reason, "ja"),
  en: (reason) => reasonIn(reason, "en"),
};

export function useReason(): (reason: string) => string {
  return IN[useLocale((state) => state.locale)];
}
