import type { RolesAnswer } from "../../../../src/contract/shapes/roles.ts";
import { useMe } from "../../api/use-me.ts";
import { useTexts } from "../../i18n/texts.ts";
import { TEXTS } from "./texts.ts";

/** Whether this person may change roles here, and if not, why. */
export function useMayEdit(answer: RolesAnswer | undefined) {
  const text = useTexts(TEXTS);
  const me = useMe();
  if (!answer || !me) return { mayEdit: false, why: null };
  if (!answer.config.editable) return { mayEdit: false, why: text.notEditable };
  if (me.role !== "admin") return { mayEdit: false, why: text.notAdmin };
  return { mayEdit: true, why: null };
}
