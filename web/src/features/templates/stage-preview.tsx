import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import type { WireTemplateSummary } from "../../../../src/contract/shapes/templates.ts";
import { useRoleName } from "../../api/role-names.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { TEXTS } from "./texts.ts";

/** The stages of a group from left to right, with the roles of each. */
export function StagePreview({ template }: { readonly template: WireTemplateSummary }) {
  const text = useTexts(TEXTS);
  const roles = useLive((state) => state.roles);
  const nameOfRole = useRoleName();
  if (template.stages.length === 0) return null;
  const nameOf = (id: string) => {
    const role = roles.find((each) => each.id === id);
    return role ? nameOfRole(role) : id;
  };
  return (
    <ol className="flex flex-wrap items-center gap-x-1 gap-y-1.5">
      {template.stages.map((stage, index) => (
        <Fragment key={index}>
          {index > 0 && (
            <li aria-hidden className="grid place-items-center text-text-3">
              <ChevronRight size={14} />
            </li>
          )}
          <li className="flex min-w-0 flex-col gap-0.5 rounded-lg border border-line bg-raised px-2 py-1 text-xs">
            <span className="sr-only">{text.stages(index + 1)}: </span>
            {stage.map((role, place) => (
              <span key={place} className="text-text-2">
                {nameOf(role)}
              </span>
            ))}
          </li>
        </Fragment>
      ))}
    </ol>
  );
}
