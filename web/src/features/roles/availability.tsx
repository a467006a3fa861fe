import { RefreshCw } from "lucide-react";
import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { post } from "../../api/http.ts";
import { useHealthCheck } from "../../api/system.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { useFormat } from "../../i18n/format.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Ago } from "../../ui/times.tsx";
import { useAction } from "../../ui/use-action.ts";
import { AvailableBadge, RunnerNote } from "./role-card.tsx";
import { TEXTS } from "./texts.ts";

/** Whether the role is available, with which runner and model, and alternatives if not. */
export function Availability({
  role,
  onUseModel,
}: {
  readonly role: RoleDetails;
  readonly onUseModel: ((model: string) => void) | null;
}) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const inWords = useReason();
  const mayOperate = useMayOperate();
  const health = useHealthCheck();
  const revalidate = useAction(() =>
    post("/api/roles/{id}/revalidate", { params: { id: role.id } }),
  );
  const result = health.data?.results.find(({ roleId }) => roleId === role.id);
  const ms = result?.healthCheck.responseTime_ms;
  const checkedAt = result?.healthCheck.checkedAt ?? result?.modelValidation.checkedAt;
  return (
    <Card bar={role.available ? "success" : "failed"} className="flex flex-col gap-3 p-4 pl-5">
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-bold">{text.status}</h2>
        <AvailableBadge role={role} />
      </div>
      <RunnerNote role={role} />
      {role.reason && <p className="text-failed">{inWords(role.reason)}</p>}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs">
        {role.runnerInUse !== "rehearsal" && (
          <>
            <dt className="text-text-3">{text.model}</dt>
            <dd className="font-mono break-all">{role.modelInUse}</dd>
          </>
        )}
        <dt className="text-text-3">{text.runner}</dt>
        <dd className="font-mono">{role.runnerInUse}</dd>
        {ms !== undefined && (
          <>
            <dt className="text-text-3">{text.response}</dt>
            <dd className="font-mono">{format.took(ms)}</dd>
          </>
        )}
        {checkedAt && (
          <>
            <dt className="text-text-3">{text.checkedAt}</dt>
            <dd title={format.dateTime(checkedAt)}>
              <Ago at={checkedAt} />
            </dd>
          </>
        )}
      </dl>
      <Suggestions models={result?.modelValidation.suggestions ?? []} onUseModel={onUseModel} />
      {mayOperate && (
        <Button
          icon={<RefreshCw size={14} aria-hidden />}
          onPress={() => void revalidate.run()}
          isPending={revalidate.isRunning}
        >
          {revalidate.isRunning ? text.revalidating : text.revalidate}
        </Button>
      )}
    </Card>
  );
}

function Suggestions({
  models,
  onUseModel,
}: {
  readonly models: readonly string[];
  readonly onUseModel: ((model: string) => void) | null;
}) {
  const text = useTexts(TEXTS);
  if (models.length === 0) return null;
  return (
    <div>
      <p className="text-xs text-text-3">{text.suggestions}</p>
      <p className="mt-1 flex flex-wrap gap-1.5">
        {models.map((model) =>
          onUseModel ? (
            <Button
              key={model}
              size="small"
              className="font-mono"
              aria-label={text.modelUse(model)}
              onPress={() => onUseModel(model)}
            >
              {model}
            </Button>
          ) : (
            <code key={model} className="font-mono text-xs">
              {model}
            </code>
          ),
        )}
      </p>
    </div>
  );
}
