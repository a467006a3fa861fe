import type { KeyboardEvent } from "react";
import { FieldError, Input, Label, Text, TextArea, TextField } from "react-aria-components";
import { cx } from "./cx.ts";

export type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly help?: string;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
  readonly autoFocus?: boolean;
  readonly mono?: boolean;
  /** Ctrl/Cmd+Enter in a multi-line field, Enter in a single-line one; never during IME composition. */
  readonly onSubmit?: () => void;
};

const BOX =
  "w-full rounded-lg border border-field bg-input px-3 text-text placeholder:text-text-3 outline-none focus:border-violet read-only:opacity-70 invalid:border-danger";

export function Field(props: FieldProps) {
  const { label, value, onChange, rows = 1, placeholder, help, error, onSubmit, mono } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms an IME composition; that must not submit.
    if (event.key !== "Enter" || event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (rows > 1 && !event.ctrlKey && !event.metaKey) return;
    if (!onSubmit) return;
    event.preventDefault();
    onSubmit();
  };
  const box = cx(BOX, rows > 1 ? "py-2" : "control", mono && "font-mono text-xs");
  return (
    <TextField
      value={value}
      onChange={onChange}
      isRequired={props.isRequired ?? false}
      isReadOnly={props.isReadOnly ?? false}
      isInvalid={error !== undefined}
      className="flex flex-col gap-1"
    >
      <Label className="text-xs font-semibold text-text-2">{label}</Label>
      {rows > 1 ? (
        <TextArea
          className={box}
          rows={rows}
          placeholder={placeholder ?? ""}
          onKeyDown={onKeyDown}
          autoFocus={props.autoFocus ?? false}
        />
      ) : (
        <Input
          className={box}
          placeholder={placeholder ?? ""}
          onKeyDown={onKeyDown}
          autoFocus={props.autoFocus ?? false}
        />
      )}
      {help && (
        <Text slot="description" className="text-xs text-text-3">
          {help}
        </Text>
      )}
      <FieldError className="text-xs text-failed">{error}</FieldError>
    </TextField>
  );
}
