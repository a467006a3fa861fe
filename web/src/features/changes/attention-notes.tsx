import { TriangleAlert } from "lucide-react";
import type { WireWorkspace } from "../../../../src/contract/shapes/workspaces.ts";
import { attentionText } from "../../../../src/contract/values.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible } from "../../text/visible.ts";
import { CHANGES } from "./texts.ts";

/** What a person must look at before they trust the change. */
export function AttentionNotes({ attention }: Pick<WireWorkspace, "attention">) {
  const text = useTexts(CHANGES);
  const locale = useLocale((state) => state.locale);
  if (attention.length === 0) return null;
  return (
    <section
      aria-label={text.attention}
      className="flex gap-3 rounded-xl border border-timeout/40 bg-timeout/10 p-3"
    >
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-timeout" />
      <div className="min-w-0">
        <p className="font-semibold">{text.attention}</p>
        <ul className="list-disc pl-4 text-text-2">
          {attention.map((each, index) => (
            <li key={index} className="break-words whitespace-pre-wrap">
              {visible(attentionText(each, locale))}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
