import { cx } from "../../ui/cx.ts";

export type ChipsProps = {
  /** What the chips are, for screen readers. */
  readonly label: string;
  readonly values: readonly string[];
  readonly isDashed?: boolean;
};

export function Chips({ label, values, isDashed = false }: ChipsProps) {
  if (values.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1">
      {values.map((value) => (
        <li
          key={value}
          className={cx(
            "rounded-md border border-line px-1.5 font-mono text-xs leading-5 break-all text-text-2",
            isDashed ? "border-dashed" : "bg-raised",
          )}
        >
          {value}
        </li>
      ))}
    </ul>
  );
}
