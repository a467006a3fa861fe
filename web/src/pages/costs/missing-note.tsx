import { TriangleAlert } from "lucide-react";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { type Missing, missingFor } from "./aggregate.ts";
import { TEXTS } from "./texts.ts";
import type { Usage } from "./use-usage.ts";

/** Lists what is missing in the total, and how to add it. */
export function MissingNote({ usage }: { readonly usage: Usage }) {
  const text = useTexts(TEXTS);
  const unpriced = missingFor(usage.rows, "no price");
  const unused = missingFor(usage.rows, "no usage");
  if (unpriced.length + unused.length === 0) return null;
  // A row without a price has the currency of the price list.
  const currency = usage.rows.find(({ reason }) => reason !== null)?.currency ?? "USD";
  const snippet = snippetFor(unpriced, currency);
  return (
    <section className="flex gap-3 rounded-xl border border-timeout/50 bg-timeout/10 p-4">
      <TriangleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-timeout" />
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        {unpriced.length > 0 && (
          <div>
            <h2 className="font-semibold">{text.noPrice}</h2>
            <p className="text-text-2">{text.noPriceNote}</p>
            <List missing={unpriced} />
            <details className="mt-1">
              <summary className="w-fit cursor-pointer text-xs text-violet">{text.example}</summary>
              <div className="relative mt-1">
                <pre
                  tabIndex={0}
                  aria-label={text.example}
                  className="overflow-x-auto rounded-lg border border-line bg-base p-3 font-mono text-xs"
                >
                  {snippet}
                </pre>
                <span className="absolute top-1 right-1">
                  <CopyButton text={snippet} />
                </span>
              </div>
            </details>
          </div>
        )}
        {unused.length > 0 && (
          <div>
            <h2 className="font-semibold">{text.noUsage}</h2>
            <p className="text-text-2">{text.noUsageNote}</p>
            <List missing={unused} />
          </div>
        )}
      </div>
    </section>
  );
}

function List({ missing }: { readonly missing: readonly Missing[] }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  return (
    <ul className="mt-1 flex flex-wrap gap-x-5 gap-y-0.5 text-xs">
      {missing.map(({ model, sum }) => (
        <li key={model}>
          <code className="font-mono">{model}</code>{" "}
          <span className="text-text-2">
            {sum.tokens === 0
              ? text.unused(format.number(sum.agents))
              : text.unpriced(format.compact(sum.tokens), format.number(sum.agents))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function snippetFor(missing: readonly Missing[], currency: string): string {
  return [
    "prices:",
    `  currency: ${currency}`,
    "  models:",
    ...missing.map(({ model }) => `    ${JSON.stringify(model)}: { input: 0, output: 0 }`),
  ].join("\n");
}
