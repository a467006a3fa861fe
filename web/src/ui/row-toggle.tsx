import { ChevronDown } from "lucide-react";
import { cx } from "./cx.ts";

/** Opens what lies below a row. A plain button: there are many of them in a list that scrolls. */
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
