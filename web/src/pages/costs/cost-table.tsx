import type { ReactNode } from "react";
import { useRoleName } from "../../features/roles/role-icon.tsx";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cx } from "../../ui/cx.ts";
import { type By, type Line, type Sum, costIn, linesBy, sumOf } from "./aggregate.ts";
import { TEXTS } from "./texts.ts";
import { useMoney } from "./use-money.ts";
import type { Usage } from "./use-usage.ts";

export type CostTableProps = {
  readonly usage: Usage;
  readonly by: By | "day";
  /** Bars and order compare costs in this currency. */
  readonly currency: string;
};

export function CostTable({ usage, by, currency }: CostTableProps) {
  const text = useTexts(TEXTS);
  const lines = linesBy(usage.rows, by, currency);
  const total = sumOf(usage.rows);
  const most = Math.max(...lines.map(({ sum }) => costIn(sum, currency)), 0);
  const { columns } = text;
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={text.table[by]}
      className="overflow-x-auto rounded-xl border border-line bg-surface"
    >
      <table className="w-full text-left">
        <caption className="sr-only">
          {text.table[by]} {usage.from} – {usage.until}
        </caption>
        <thead className="bg-raised text-xs text-text-3">
          <tr>
            <Head>{columns[by]}</Head>
            <Head isNumber>{columns.cost}</Head>
            <Head isNumber>{columns.agents}</Head>
            <Head isNumber>{columns.total}</Head>
            <Head isNumber>{columns.input}</Head>
            <Head isNumber>{columns.output}</Head>
            <Head isNumber>{columns.cache}</Head>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Row key={line.name} line={line} by={by} currency={currency} most={most} />
          ))}
        </tbody>
        <tfoot className="border-t-2 border-line font-semibold">
          <tr>
            <th scope="row" className="px-3 py-2">
              {text.sum}
            </th>
            <Figures sum={total} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Head({
  children,
  isNumber = false,
}: {
  readonly children: ReactNode;
  readonly isNumber?: boolean;
}) {
  return (
    <th
      scope="col"
      className={cx("px-3 py-1.5 font-normal whitespace-nowrap", isNumber && "text-right")}
    >
      {children}
    </th>
  );
}

function Row({
  line: { name, sum },
  by,
  currency,
  most,
}: {
  readonly line: Line;
  readonly by: By | "day";
  readonly currency: string;
  readonly most: number;
}) {
  const role = useRoleName(name);
  const share = most > 0 ? (costIn(sum, currency) / most) * 100 : 0;
  return (
    <tr className="border-t border-line hover:bg-raised/60">
      <th scope="row" className="px-3 py-1.5 font-normal whitespace-nowrap">
        {by === "role" && role !== name ? (
          <>
            <span className="font-semibold">{role}</span>{" "}
            <span className="font-mono text-xs text-text-3">{name}</span>
          </>
        ) : (
          <span className="font-mono text-xs">{name}</span>
        )}
        <span aria-hidden className="mt-0.5 block h-0.5 w-28 rounded-full bg-raised">
          <span className="block h-full rounded-full bg-violet" style={{ width: `${share}%` }} />
        </span>
      </th>
      <Figures sum={sum} />
    </tr>
  );
}

function Figures({ sum }: { readonly sum: Sum }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const money = useMoney();
  const figures = [sum.agents, sum.tokens, sum.input, sum.output, sum.cacheRead + sum.cacheWrite];
  const cell = "px-3 py-1.5 text-right font-mono text-xs whitespace-nowrap";
  return (
    <>
      <td className={cell}>
        {sum.amounts.length === 0 ? (
          sum.isPartly ? (
            <span className="text-timeout">{text.noPriceYet}</span>
          ) : (
            "—"
          )
        ) : (
          <>
            {money(sum.amounts)}
            <span aria-hidden className="inline-block w-[1ch] text-timeout">
              {sum.isPartly && "+"}
            </span>
            {sum.isPartly && <span className="sr-only">{text.plus}</span>}
          </>
        )}
      </td>
      {figures.map((figure, index) => (
        <td key={index} className={cell}>
          {format.number(figure)}
        </td>
      ))}
    </>
  );
}
