import { useCallback } from "react";
import { type AuditedDeed, auditSentence } from "../../../../../src/contract/audit-words.ts";
import { useLocale } from "../../../i18n/locale.ts";
import { visible } from "../../../text/visible.ts";
import { usePersonName } from "../use-person-name.ts";

/** The sentence of an audit entry; the terminal uses the same words. */
export function useAuditSentence(): (entry: AuditedDeed) => string {
  const locale = useLocale((state) => state.locale);
  const nameOf = usePersonName();
  return useCallback((entry) => visible(auditSentence(entry, locale, nameOf)), [locale, nameOf]);
}
