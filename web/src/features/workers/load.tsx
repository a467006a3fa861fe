import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cx } from "../../ui/cx.ts";
import { TEXTS } from "./texts.ts";

export type LoadProps = {
  /** The host, for screen readers. */
  readonly name: string;
  readonly agents: number;
  /** null: there is no limit. */
  readonly slots: number | null;
};

/** How many agents run there, of how many at once. */
export function Load({ name, agents, slots }: LoadProps) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  if (slots === 0 && agents === 0) return <p className="text-text-3">{text.noSlots}</p>;
  if (slots === null) return <p className="tabular-nums">{text.loadOnly(format.number(agents))}</p>;
  const words = text.loadOf(format.number(agents), format.number(slots));
  const share = slots === 0 ? 0 : Math.min(1, agents / slots);
  return (
    <div>
      <p className="tabular-nums">{words}</p>
      <div
        role="meter"
        aria-label={text.load(name)}
        aria-valuemin={0}
        aria-valuemax={Math.max(1, slots)}
        aria-valuenow={Math.min(agents, Math.max(1, slots))}
        aria-valuetext={words}
        className="mt-1 h-1.5 max-w-48 overflow-hidden rounded-full bg-line"
      >
        <div
          className={cx("h-full rounded-full", share === 1 ? "bg-timeout" : "bg-violet")}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}
