import { Drama } from "lucide-react";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";

/** Marks results of a rehearsal: no model was used, and no real work was done. */
export function RehearsalMark() {
  const text = useTexts(COMMON);
  return (
    <span
      title={text.rehearsalMeans}
      className="inline-flex shrink-0 items-center gap-1 rounded-full border border-dashed border-field px-1.5 py-px font-sans text-[11px] leading-4 whitespace-nowrap text-bone"
    >
      <Drama size={11} aria-hidden />
      {text.rehearsal}
    </span>
  );
}
