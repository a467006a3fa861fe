import { useId } from "react";

export type DateFieldProps = {
  readonly label: string;
  /** YYYY-MM-DD, or empty. */
  readonly value: string;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (value: string) => void;
};

/** The native date input: it handles language, keyboard and phones. */
export function DateField({ label, value, min, max, onChange }: DateFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-semibold text-text-2">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        min={min}
        max={max}
        onChange={(event) => onChange(event.target.value)}
        className="control rounded-lg border border-field bg-input px-3 font-mono text-xs text-text focus:border-violet"
      />
    </div>
  );
}
