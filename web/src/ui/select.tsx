import { Check, ChevronDown } from "lucide-react";
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from "react-aria-components";

export type SelectProps = {
  readonly label: string;
  /** Hides the label visually. */
  readonly hideLabel?: boolean;
  /** Empty: nothing is chosen. */
  readonly value: string;
  /** Shown while nothing is chosen. */
  readonly placeholder?: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly onChange: (id: string) => void;
};

export function Select(props: SelectProps) {
  const { label, hideLabel = false, value, placeholder, options, onChange } = props;
  return (
    <AriaSelect
      aria-label={label}
      value={value === "" ? null : value}
      {...(placeholder !== undefined && { placeholder })}
      onChange={(key) => key !== null && onChange(String(key))}
      className="flex flex-col gap-1"
    >
      {!hideLabel && <Label className="text-xs font-semibold text-text-2">{label}</Label>}
      <Button className="control flex items-center justify-between gap-2 rounded-lg border border-field bg-input px-3 text-left hover:border-violet">
        <SelectValue className="truncate" />
        <ChevronDown size={14} aria-hidden className="text-text-3" />
      </Button>
      <Popover className="max-h-80 min-w-(--trigger-width) overflow-auto rounded-xl border border-line bg-float p-1 shadow-2xl">
        <ListBox className="outline-none" items={options}>
          {(option) => (
            <ListBoxItem
              id={option.id}
              textValue={option.label}
              className="flex cursor-pointer items-center justify-between gap-3 rounded-lg px-3 py-1.5 outline-none focus:bg-violet-solid/30 selected:text-violet"
            >
              {({ isSelected }) => (
                <>
                  <span>{option.label}</span>
                  {isSelected && <Check size={14} aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
