import { auditFields } from "../../../../../src/contract/audit-fields.ts";
import type { WireAudit } from "../../../../../src/contract/shapes/audit.ts";
import { useLocale } from "../../../i18n/locale.ts";
import { defineTexts, useTexts } from "../../../i18n/texts.ts";
import { visible } from "../../../text/visible.ts";
import { pageOf, SubjectLink } from "./subject-link.tsx";

const TEXTS = defineTexts({
  ja: { action: "操作コード", subject: "対象" },
  en: { action: "Action code", subject: "Subject" },
});

/** The data of an audit entry as labelled fields; ids are links. */
export function EntryDetails({ entry }: { readonly entry: WireAudit }) {
  const text = useTexts(TEXTS);
  const locale = useLocale((state) => state.locale);
  const fields = auditFields(entry.data, locale);
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
      {fields.map(({ name, label, values }) => (
        <Pair key={name} label={label} values={values} />
      ))}
      <Pair label={text.subject} values={[entry.subject]} />
      <Pair label={text.action} values={[entry.action]} />
    </dl>
  );
}

function Pair({ label, values }: { readonly label: string; readonly values: readonly string[] }) {
  return (
    <div className="contents">
      <dt className="text-xs leading-[1.6rem] text-text-3">{label}</dt>
      <dd className="min-w-0 text-[13px] max-sm:mb-1">
        {values.map((value, index) => (
          <span key={index} className="block whitespace-pre-wrap" dir="auto">
            {pageOf(value) === undefined ? visible(value) : <SubjectLink subject={value} />}
          </span>
        ))}
      </dd>
    </div>
  );
}
