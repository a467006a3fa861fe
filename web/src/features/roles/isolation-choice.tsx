import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { useTexts } from "../../i18n/texts.ts";
import { RadioChoice } from "../../ui/radio.tsx";
import { FILE_TEXTS } from "./file-texts.ts";

type Isolation = RoleDetails["isolation"];

/** Whether agents of a role work in worktrees of their own. */
export function IsolationChoice(props: {
  readonly value: Isolation;
  readonly onChange: (isolation: Isolation) => void;
}) {
  const text = useTexts(FILE_TEXTS);
  return (
    <RadioChoice
      label={text.isolation}
      value={props.value}
      onChange={props.onChange}
      options={(["auto", "worktree", "none"] as const).map((id) => ({
        id,
        label: text.isolationWords[id],
        note: text.isolationNotes[id],
      }))}
    />
  );
}
