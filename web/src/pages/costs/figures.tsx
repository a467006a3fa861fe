import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cx } from "../../ui/cx.ts";
import type { Sum } from "./aggregate.ts";
import { TEXTS } from "./texts.ts";
import { useMoney } from "./use-money.ts";

export function Figures({ sum }: { readonly sum: Sum }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const money = useMoney();
  const { amounts } = sum;
  const [amount, ...others] = amounts;
  const isUnused = sum.tokens === 0 && !sum.isPartly;
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        name={text.total}
        value={amount ? money(amounts) : isUnused ? "—" : text.noPriceYet}
        note={
          amount
            ? sum.isPartly
              ? text.partly
              : ""
            : isUnused
              ? text.nothingUsedAtAll
              : text.noCost
        }
        isWarning={sum.isPartly && !isUnused}
      />
      <Figure
        name={text.tokens}
        value={format.compact(sum.tokens)}
        note={text.tokenParts(format.compact(sum.input), format.compact(sum.output))}
      />
      <Figure
        name={text.cached}
        value={format.compact(sum.cacheRead + sum.cacheWrite)}
        note={text.cacheParts(format.compact(sum.cacheRead), format.compact(sum.cacheWrite))}
      />
      <Figure
        name={text.agents}
        value={format.number(sum.agents)}
        note={
          !amount || others.length > 0 || sum.isPartly || sum.agents === 0
            ? ""
            : text.perAgent(money([{ ...amount, cost: amount.cost / sum.agents }]))
        }
      />
    </dl>
  );
}

function Figure({
  name,
  value,
  note,
  isWarning = false,
}: {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly isWarning?: boolean;
}) {
  return (
    <div className="rounded-xl border border-line bg-surface p-4">
      <dt className="text-xs text-text-3">{name}</dt>
      <dd>
        <span className="block font-mono text-2xl leading-9 font-semibold break-words">
          {value}
        </span>
        <span className={cx("block text-xs", isWarning ? "text-timeout" : "text-text-2")}>
          {note}
        </span>
      </dd>
    </div>
  );
}
