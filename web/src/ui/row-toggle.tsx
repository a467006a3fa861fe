import { ChevronDown } from "lucide-react";
import { cx } from "./cx.ts";

/** Expands a row. A native button, because long lists contain many of them. */
export function RowToggle({
  label,
  isOpen,
  onToggle,
}: {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-expanded={isOpen}
      onClick={onToggle}
      className="grid size-7 place-items-center rounded-lg text-text-2 hover:bg-raised hover:text-text"
    >
      <ChevronDown size={15} aria-hidden className={cx(isOpen && "rotate-180")} />
    </button>
  );
}
