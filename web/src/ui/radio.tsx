import { Label, Radio, RadioGroup } from "react-aria-components";

export type RadioChoiceProps<Id extends string> = {
  readonly label: string;
  readonly value: Id;
  readonly options: readonly {
    readonly id: Id;
    readonly label: string;
    readonly note?: string;
  }[];
  readonly onChange: (id: Id) => void;
};

/** Radio buttons, each with a note. */
export function RadioChoice<Id extends string>({
  label,
  value,
  options,
  onChange,
}: RadioChoiceProps<Id>) {
  return (
    <RadioGroup
      value={value}
      onChange={(id) => {
        const chosen = options.find((option) => option.id === id);
        if (chosen) onChange(chosen.id);
      }}
      className="flex flex-col gap-1"
    >
      <Label className="text-xs font-semibold text-text-2">{label}</Label>
      {options.map((option) => (
        <Radio
          key={option.id}
          value={option.id}
          className="group flex cursor-pointer gap-2.5 rounded-lg border border-line px-3 py-2 hover:border-field focus-visible:outline-2 focus-visible:outline-violet selected:border-violet selected:bg-violet-solid/15"
        >
          <span
            aria-hidden
            className="mt-1 grid size-3.5 shrink-0 place-items-center rounded-full border border-field group-selected:border-violet"
          >
            <span className="size-1.5 rounded-full group-selected:bg-violet" />
          </span>
          <span>
            <span className="block font-semibold">{option.label}</span>
            {option.note && <span className="block text-xs text-text-2">{option.note}</span>}
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}
