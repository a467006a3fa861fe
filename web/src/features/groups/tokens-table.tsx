import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { isUsed, keyOf, mergeRows, modelOf, sumOf } from "../agents/usage-rows.ts";
import type { GroupDetail } from "./group-data.ts";
import { TEXTS } from "./texts.ts";

type Row = GroupDetail["usage"][number];

export function TokensTable({ rows }: { readonly rows: readonly Row[] }) {
  const text = useTexts(TEXTS).tokens;
  const format = useFormat();
  const used = rows.filter(isUsed);
  const sum = sumOf(used);
  return (
    <section aria-labelledby="tokens" className="mb-5">
      <h2 id="tokens" className="mb-2 flex flex-wrap items-baseline gap-x-3 text-[15px] font-bold">
        {text.title}
        {sum && <span className="font-mono text-lg">{format.amounts(sum.amounts)}</span>}
        {sum?.isPartial && <span className="text-xs font-normal text-timeout">{text.partly}</span>}
      </h2>
      {used.length === 0 ? (
        <p className="text-text-3">{text.none}</p>
      ) : (
        // A scroll box must be reachable by keyboard.
        <Card className="overflow-x-auto" tabIndex={0}>
          <table className="w-full text-left whitespace-nowrap">
            <thead className="text-xs text-text-3">
              <tr className="border-b border-line">
                <Head>{text.model}</Head>
                <Head>{text.role}</Head>
                <Head>{text.runner}</Head>
                <Head right>{text.agents}</Head>
                <Head right>{text.input}</Head>
                <Head right>{text.output}</Head>
                <Head right>{text.cost}</Head>
              </tr>
            </thead>
            <tbody>
              {mergeRows(used).map((row) => (
                <tr key={keyOf(row)} className="border-b border-line/60 last:border-0">
                  <td className="px-3 py-1.5 font-mono text-xs">{modelOf(row)}</td>
                  <td className="px-3 py-1.5">{row.role}</td>
                  <td className="px-3 py-1.5">{row.runner}</td>
                  <td className="px-3 py-1.5 text-right font-mono">{format.number(row.agents)}</td>
                  <td className="px-3 py-1.5 text-right font-mono">
                    {format.number(row.inputTokens + row.cacheReadTokens + row.cacheWriteTokens)}
                  </td>
                  <td className="px-3 py-1.5 text-right font-mono">
                    {format.number(row.outputTokens)}
                  </td>
                  <td className="px-3 py-1.5 text-right font-mono">
                    {row.cost === null ? (
                      <span className="font-sans text-xs text-timeout">{text.noPrice}</span>
                    ) : (
                      format.money(row.cost, row.currency)
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      )}
    </section>
  );
}

function Head({
  right = false,
  children,
}: {
  readonly right?: boolean;
  readonly children: React.ReactNode;
}) {
  return (
    <th scope="col" className={`px-3 py-2 font-normal ${right ? "text-right" : ""}`}>
      {children}
    </th>
  );
}
