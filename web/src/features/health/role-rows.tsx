import { Link } from "@tanstack/react-router";
import {
  Check,
  CircleDashed,
  CircleMinus,
  CircleX,
  Drama,
  LoaderCircle,
  RefreshCw,
  TriangleAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import type { WireHealth, WireHealthResult } from "../../../../src/contract/shapes/health.ts";
import { useFormat } from "../../i18n/format.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useRoleName } from "../roles/role-icon.tsx";
import { TEXTS } from "./texts.ts";

export type RoleProgress = WireHealth["progress"][number];

const icon = { size: 15, "aria-hidden": true } as const;
const ICONS: Record<RoleProgress["modelValidation"] | RoleProgress["healthCheck"], ReactNode> = {
  waiting: <CircleDashed {...icon} className="text-queued" />,
  checking: <LoaderCircle {...icon} className="animate-spin text-running" />,
  valid: <Check {...icon} className="animate-appear text-success" />,
  passed: <Check {...icon} className="animate-appear text-success" />,
  invalid: <TriangleAlert {...icon} className="text-timeout" />,
  failed: <CircleX {...icon} className="animate-shake text-failed" />,
  skipped: <CircleMinus {...icon} className="text-cancelled" />,
};

type RowProps = { readonly role: RoleProgress; readonly result: WireHealthResult | undefined };

function Name({ role }: { readonly role: RoleProgress }) {
  const name = useRoleName(role.roleId);
  return (
    <Link
      to="/roles/$roleId"
      params={{ roleId: role.roleId }}
      className="min-w-0 hover:text-violet hover:underline"
    >
      <span className="font-semibold">{name}</span>{" "}
      <span className="font-mono text-xs break-all text-text-3">{role.roleId}</span>
    </Link>
  );
}

function isRehearsal({ runner }: RoleProgress): boolean {
  return runner === "rehearsal";
}

/** Instead of a green mark, which would look as if a model had answered. */
function RehearsalOnly() {
  const text = useTexts(TEXTS);
  return (
    <span className="ml-auto inline-flex items-center gap-1.5 text-bone">
      <Drama {...icon} />
      {text.rehearsalOnly}
    </span>
  );
}

/** [1/3]: does the runner know the model? */
export function ModelRow({ role, result }: RowProps) {
  const text = useTexts(TEXTS);
  const inWords = useReason();
  const reason = role.modelValidation !== "waiting" && result?.modelValidation.message;
  const suggestions = role.modelValidation === "invalid" ? result?.modelValidation.suggestions : [];
  return (
    <div className="py-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
        <Name role={role} />
        <span className="font-mono text-xs break-all text-text-2">
          ({isRehearsal(role) ? role.runner : `${role.model} · ${role.runner}`})
        </span>
        {isRehearsal(role) ? (
          <RehearsalOnly />
        ) : (
          <span className="ml-auto inline-flex items-center gap-1.5">
            {ICONS[role.modelValidation]}
            {text.models[role.modelValidation]}
          </span>
        )}
      </div>
      {reason && (
        <p className={role.modelValidation === "invalid" ? "text-timeout" : "text-xs text-text-3"}>
          {inWords(reason)}
        </p>
      )}
      {suggestions && suggestions.length > 0 && (
        <p className="mt-1 flex flex-wrap items-center gap-1.5 text-xs text-text-2">
          {text.suggestions}:
          {suggestions.map((model) => (
            <span
              key={model}
              className="inline-flex items-center rounded-lg border border-line bg-raised pl-2"
            >
              <code className="font-mono">{model}</code>
              <CopyButton text={model} className="!min-h-6 !px-1.5" />
            </span>
          ))}
          <Link
            to="/roles/$roleId"
            params={{ roleId: role.roleId }}
            className="text-violet hover:underline"
          >
            {text.fix}
          </Link>
        </p>
      )}
    </div>
  );
}

/** [2/3]: does it answer? */
export function CheckRow({
  role,
  result,
  isBusy,
  onRun,
}: RowProps & { readonly isBusy: boolean; readonly onRun: ((roleId: string) => void) | null }) {
  const text = useTexts(TEXTS);
  const name = useRoleName(role.roleId);
  const isOver = role.healthCheck !== "waiting" && role.healthCheck !== "checking";
  const ms = isOver ? result?.healthCheck.responseTime_ms : undefined;
  const format = useFormat();
  const inWords = useReason();
  const reason = isOver ? result?.healthCheck.reason : undefined;
  return (
    <div className="py-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
        <Name role={role} />
        {isRehearsal(role) ? (
          <RehearsalOnly />
        ) : (
          <span className="ml-auto inline-flex items-center gap-1.5">
            {ICONS[role.healthCheck]}
            {text.checks[role.healthCheck]}
            {role.healthCheck === "checking" && <Since at={role.since} />}
            {ms !== undefined && (
              <span className="font-mono text-xs text-text-2">({format.took(ms)})</span>
            )}
          </span>
        )}
        {onRun && (
          <IconButton
            label={text.runOne(name)}
            size="small"
            isDisabled={isBusy}
            onPress={() => onRun(role.roleId)}
          >
            <RefreshCw size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      {reason && (
        <p className={role.healthCheck === "failed" ? "text-failed" : "text-xs text-text-3"}>
          {inWords(reason)}
        </p>
      )}
    </div>
  );
}

function Since({ at }: { readonly at: string }) {
  const now = useNow();
  const format = useFormat();
  return (
    <span className="font-mono text-xs text-text-2">({format.duration(now - Date.parse(at))})</span>
  );
}
