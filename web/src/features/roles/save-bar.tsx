import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type {
  RoleDetails,
  RoleFields,
  RoleSaved,
  RolesAnswer,
} from "../../../../src/contract/shapes/roles.ts";
import { put } from "../../api/http.ts";
import { useProblemText } from "../../api/problem-text.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { type FieldErrors, FIELDS, type RoleDraft } from "./draft.ts";
import { TEXTS } from "./texts.ts";

const WAIT_MS = 500;

export type SaveBarProps = {
  readonly role: RoleDetails;
  readonly config: RolesAnswer["config"];
  readonly draft: RoleDraft;
  readonly errors: FieldErrors;
  /** A change is being reviewed or saved: a check could come after it and be refused. */
  readonly isPaused: boolean;
  readonly onReview: () => void;
};

/** The number of changes and their validation by the daemon; hidden without changes. */
export function SaveBar({ role, config, draft, errors, isPaused, onReview }: SaveBarProps) {
  const text = useTexts(TEXTS);
  const { list } = useTexts(COMMON);
  const explain = useProblemText();
  const isWrong = Object.keys(errors).length > 0;
  const body = useCalm(JSON.stringify(draft.body));
  const isCurrent = body === JSON.stringify(draft.body);
  const check = useQuery({
    queryKey: ["preview", "live", role.id, body, config.hash],
    queryFn: () => tryOut(role.id, draft.body, config.hash),
    enabled: draft.changed.length > 0 && !isWrong && isCurrent && !isPaused,
    retry: false,
    gcTime: 0,
  });
  if (draft.changed.length === 0) return null;
  const problem = check.isError && isCurrent ? explain(check.error) : null;
  const isKnown = isCurrent && check.isSuccess;
  return (
    <div className="sticky bottom-14 z-25 -mx-2 mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-violet/50 bg-float px-4 py-3 shadow-2xl lg:bottom-4">
      <div role="status" className="min-w-0 flex-1 basis-56">
        <p className="font-semibold">
          {text.changed(draft.changed.length)}:{" "}
          <span className="font-normal text-text-2">
            {list(draft.changed.map((name) => text.fields[name]))}
          </span>
        </p>
        {isWrong ? (
          <p className="text-xs text-failed">
            {FIELDS.flatMap((name) => {
              const error = errors[name];
              return error === undefined ? [] : [`${text.fields[name]}: ${error}`];
            }).join(" ")}
          </p>
        ) : problem ? (
          <p className="line-clamp-3 text-xs text-failed">
            {problem.title} {problem.detail}
          </p>
        ) : (
          <p className="text-xs text-text-3">{isKnown ? text.canSave : text.checking}</p>
        )}
      </div>
      <Button look="ghost" onPress={draft.discard}>
        {text.discard}
      </Button>
      <Button look="violet" onPress={onReview} isDisabled={isWrong || problem !== null}>
        {text.review}
      </Button>
    </div>
  );
}

function tryOut(id: string, fields: RoleFields, hash: string | null): Promise<RoleSaved> {
  const body = { ...fields, ...(hash === null ? {} : { expectedHash: hash }) };
  return put("/api/roles/{id}", { params: { id }, query: { dryRun: "true" }, body });
}

/** Debounced value. */
function useCalm(value: string): string {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), WAIT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return calm;
}
