import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { useTexts } from "../../i18n/texts.ts";
import { RadioChoice } from "../../ui/radio.tsx";
import { FILE_TEXTS } from "./file-texts.ts";

type Access = RoleDetails["access"];

/** Whether a role may edit files. */
export function AccessChoice(props: {
  readonly value: Access;
  readonly onChange: (access: Access) => void;
}) {
  const text = useTexts(FILE_TEXTS);
  return (
    <RadioChoice
      label={text.access}
      value={props.value}
      onChange={props.onChange}
      options={(["read-only", "read-write"] as const).map((id) => ({
        id,
        label: text.accessWords[id],
        note: text.accessNotes[id],
      }))}
    />
  );
}
