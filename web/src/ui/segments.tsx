import type { ReactNode } from "react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";

export type SegmentsProps<Id extends string> = {
  readonly label: string;
  readonly value: Id;
  readonly options: readonly {
    readonly id: Id;
    readonly label: ReactNode;
    readonly count?: number | string | undefined;
  }[];
  readonly onChange: (id: Id) => void;
};

/** Segmented control. */
export function Segments<Id extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentsProps<Id>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = options.find(({ id }) => keys.has(id));
        if (chosen) onChange(chosen.id);
      }}
      className="flex w-fit max-w-full flex-wrap gap-1"
    >
      {options.map((option) => (
        <ToggleButton
          key={option.id}
          id={option.id}
          className="inline-flex min-h-7 items-center gap-1.5 rounded-full border border-line px-3 text-xs text-text-2 hover:border-field hover:text-text selected:border-violet selected:bg-violet-solid/20 selected:font-semibold selected:text-text"
        >
          {option.label}
          {option.count !== undefined && (
            <span className="font-mono text-[11px] text-text-3">{option.count}</span>
          )}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
