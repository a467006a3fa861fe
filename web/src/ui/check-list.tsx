import { Check } from "lucide-react";
import { Checkbox, CheckboxGroup, Label } from "react-aria-components";

export type CheckListProps = {
  readonly label: string;
  readonly help?: string;
  readonly value: readonly string[];
  readonly options: readonly {
    readonly id: string;
    readonly label: string;
    readonly note?: string;
  }[];
  readonly onChange: (value: readonly string[]) => void;
  readonly isReadOnly?: boolean;
};

export function CheckList({ label, help, value, options, onChange, isReadOnly }: CheckListProps) {
  return (
    <CheckboxGroup
      value={[...value]}
      onChange={onChange}
      isReadOnly={isReadOnly ?? false}
      className="flex flex-col gap-1"
    >
      <Label className="text-xs font-semibold text-text-2">{label}</Label>
      {help && <p className="text-xs text-text-3">{help}</p>}
      {options.map((option) => (
        <Checkbox
          key={option.id}
          value={option.id}
          className="group flex cursor-pointer gap-2.5 rounded-lg border border-line px-3 py-2 hover:border-field data-focus-visible:outline-2 data-focus-visible:outline-violet selected:border-violet selected:bg-violet-solid/15"
        >
          <span
            aria-hidden
            className="mt-0.5 grid size-4 shrink-0 place-items-center rounded border border-field text-transparent group-selected:border-violet group-selected:bg-violet-solid group-selected:text-on-solid"
          >
            <Check size={12} />
          </span>
          <span className="min-w-0">
            <span className="block font-semibold">{option.label}</span>
            {option.note && <span className="block text-xs text-text-2">{option.note}</span>}
          </span>
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
