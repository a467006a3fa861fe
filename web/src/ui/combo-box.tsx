import { ChevronDown } from "lucide-react";
import type { KeyboardEvent } from "react";
import {
  Button,
  ComboBox as AriaComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from "react-aria-components";

export type ComboOption = { readonly id: string; readonly note?: string };

export type ComboBoxProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly ComboOption[];
  readonly onChange: (value: string) => void;
  /** Called when an option is chosen, on Enter, and on blur. */
  readonly onCommit?: (value: string) => void;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly isReadOnly?: boolean;
};

/** A choice from a list, or any other text. */
export function ComboBox(props: ComboBoxProps) {
  const { label, value, options, onChange, onCommit, help, error, placeholder } = props;
  const notes = new Map(options.map(({ id, note }) => [id, note ?? ""]));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    // Enter chooses the focused option.
    if (!event.currentTarget.getAttribute("aria-activedescendant")) onCommit?.(value);
  };
  return (
    <AriaComboBox
      allowsCustomValue
      menuTrigger="focus"
      inputValue={value}
      onInputChange={onChange}
      onChange={(key) => {
        if (key === null) return;
        onChange(String(key));
        onCommit?.(String(key));
      }}
      defaultItems={options}
      defaultFilter={(id, wanted) => matches(`${id} ${notes.get(id) ?? ""}`, wanted)}
      isInvalid={error !== undefined}
      isReadOnly={props.isReadOnly ?? false}
      onBlur={() => onCommit?.(value)}
      className="flex min-w-0 flex-col gap-1"
    >
      <Label className="text-xs font-semibold text-text-2">{label}</Label>
      <div className="relative flex">
        <Input
          onKeyDown={onKeyDown}
          placeholder={placeholder ?? ""}
          className="control w-full min-w-0 rounded-lg border border-field bg-input px-3 py-1 pr-9 font-mono text-xs text-text outline-none placeholder:font-sans placeholder:text-text-3 read-only:opacity-70 focus:border-violet invalid:border-danger"
        />
        <Button className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-lg text-text-3 hover:text-text">
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      {help && (
        <Text slot="description" className="text-xs text-text-3">
          {help}
        </Text>
      )}
      <FieldError className="text-xs text-failed">{error}</FieldError>
      <Popover className="max-h-80 w-(--trigger-width) min-w-64 overflow-auto rounded-xl border border-line bg-float p-1 shadow-2xl">
        <ListBox<ComboOption> className="outline-none">
          {(option) => (
            <ListBoxItem
              id={option.id}
              textValue={option.id}
              className="cursor-pointer rounded-lg px-3 py-1.5 outline-none focus:bg-violet-solid/30 selected:text-violet"
            >
              <span className="block font-mono text-xs break-all">{option.id}</span>
              {option.note && <span className="block text-xs text-text-2">{option.note}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}

function matches(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.trim().toLowerCase());
}
