import { sizeText } from "../../../../../src/contract/size-text.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { cx } from "../../../ui/cx.ts";
import { LISTS } from "../list-texts.ts";

const ALMOST_FULL = 0.85;

export type DiskUseProps = {
  readonly used: number;
  /** null: there is no limit. */
  readonly limit: number | null;
};

export function DiskUse({ used, limit }: DiskUseProps) {
  const text = useTexts(LISTS);
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit);
  const isAlmostFull = share >= ALMOST_FULL;
  return (
    <div className="max-w-xl">
      <p className="flex justify-between gap-4">
        <span className="text-text-2">{text.disk}</span>
        <span className="font-semibold tabular-nums">
          {limit === null
            ? text.diskNoLimit(sizeText(used))
            : text.diskOf(sizeText(used), sizeText(limit))}
        </span>
      </p>
      {limit !== null && (
        <div
          role="meter"
          aria-label={text.disk}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={text.diskOf(sizeText(used), sizeText(limit))}
          className="mt-1 h-2 overflow-hidden rounded-full bg-line"
        >
          <div
            className={cx("h-full", isAlmostFull ? "bg-timeout" : "bg-violet")}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      {isAlmostFull && <p className="mt-1 text-timeout">{text.almostFull}</p>}
    </div>
  );
}
