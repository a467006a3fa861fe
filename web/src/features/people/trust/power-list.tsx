import type { TrustedPower } from "../../../../../src/contract/shapes/trust.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { TEXTS } from "./texts.ts";

/** Never truncated: a person must not agree to something that was not shown. */
export function PowerList({ powers }: { readonly powers: readonly TrustedPower[] }) {
  const text = useTexts(TEXTS);
  return (
    <ul className="flex flex-col gap-2">
      {powers.map(({ kind, name, lines }) => (
        <li key={`${kind} ${name}`} className="rounded-lg border border-line bg-base/60">
          <p className="flex flex-wrap items-baseline gap-x-2 px-3 py-1.5">
            <span className="text-xs text-text-3">{text.kind[kind]}</span>
            <bdi className="font-mono font-semibold break-all">{name}</bdi>
          </p>
          {lines.length > 0 && (
            <pre
              tabIndex={0}
              aria-label={`${text.kind[kind]} ${name}`}
              dir="ltr"
              className="max-h-72 overflow-auto border-t border-line px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
            >
              {lines.join("\n")}
            </pre>
          )}
        </li>
      ))}
    </ul>
  );
}
