import { useState } from "react";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { CHANGES } from "../texts.ts";

export type CommentFieldProps = {
  readonly label: string;
  readonly initial?: string;
  readonly send: string;
  readonly isSending: boolean;
  readonly onSend: (body: string) => void;
  readonly onCancel: () => void;
  /** Keeps the text when the field scrolls out of the view and is removed from the page. */
  readonly onChange?: (body: string) => void;
};

export function CommentField(props: CommentFieldProps) {
  const { label, initial = "", send, isSending, onSend, onCancel, onChange } = props;
  const text = useTexts(CHANGES).comments;
  const { cancel } = useTexts(COMMON);
  const [body, setBody] = useState(initial);
  const isReady = body.trim() !== "" && !isSending;
  const submit = () => isReady && onSend(body.trim());
  return (
    <div
      role="presentation"
      className="mt-1 flex flex-col gap-2 font-sans whitespace-normal"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <Field
        label={label}
        value={body}
        rows={3}
        autoFocus
        help={text.submitHelp}
        onSubmit={submit}
        onChange={(value) => {
          setBody(value);
          onChange?.(value);
        }}
      />
      <div className="flex justify-end gap-2">
        <Button size="small" onPress={onCancel}>
          {cancel}
        </Button>
        <Button size="small" look="violet" onPress={submit} isDisabled={!isReady}>
          {send}
        </Button>
      </div>
    </div>
  );
}
