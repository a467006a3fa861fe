import { useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import type { WireHealth } from "../../../src/contract/shapes/health.ts";
import { post } from "../api/http.ts";
import { useHealthCheck } from "../api/system.ts";
import { useMayOperate } from "../api/use-me.ts";
import { ProgressRing } from "../charts/ring.tsx";
import { DeliveryFailures } from "../features/alerts/delivery-failures.tsx";
import { CheckRow, ModelRow } from "../features/health/role-rows.tsx";
import { RunnerCards } from "../features/health/runner-cards.tsx";
import { StepCard, type StepState } from "../features/health/step-card.tsx";
import { TEXTS } from "../features/health/texts.ts";
import { Branch, Tree } from "../features/health/tree.tsx";
import { RunnerProblems } from "../features/roles/runner-problems.tsx";
import { COMMON } from "../i18n/common.ts";
import { useFormat } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState, ErrorNote, Loading } from "../ui/notes.tsx";
import { CountBadge, PageHead } from "../ui/page-head.tsx";
import { Ago } from "../ui/times.tsx";
import { useAction } from "../ui/use-action.ts";

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const queries = useQueryClient();
  const health = useHealthCheck();
  const mayOperate = useMayOperate();
  const run = useAction(async (roleIds: readonly string[] | null) => {
    const view = await post("/api/health-check", {
      body: roleIds ? { roleIds: [...roleIds] } : {},
    });
    queries.setQueryData(["healthcheck", "state"], view);
  });
  const view = health.data;
  const isBusy = run.isRunning || view?.state === "running";
  return (
    <>
      <PageHead
        title={nav.health}
        note={text.note}
        badge={
          view &&
          view.step > 0 && (
            <CountBadge>
              {view.available}/{view.total}
            </CountBadge>
          )
        }
      >
        {mayOperate && (
          <Button
            look="violet"
            icon={<RefreshCw size={14} aria-hidden />}
            onPress={() => void run.run(null)}
            isPending={isBusy}
          >
            {isBusy ? text.running : text.runAll}
          </Button>
        )}
      </PageHead>
      <RunnerProblems />
      <DeliveryFailures />
      <RunnerCards mayCheck={mayOperate} />
      {health.isPending && <Loading />}
      {health.isError && <ErrorNote error={health.error} onRetry={() => void health.refetch()} />}
      {view && view.step === 0 && view.results.length === 0 && (
        <EmptyState title={text.idle}>{text.idleNote}</EmptyState>
      )}
      {view && (view.step > 0 || view.results.length > 0) && (
        <Steps
          view={view}
          isBusy={isBusy}
          onRun={mayOperate ? (roleId) => void run.run([roleId]) : null}
        />
      )}
    </>
  );
}

function Steps({
  view,
  isBusy,
  onRun,
}: {
  readonly view: WireHealth;
  readonly isBusy: boolean;
  /** null for a viewer. */
  readonly onRun: ((roleId: string) => void) | null;
}) {
  const text = useTexts(TEXTS);
  const results = new Map(view.results.map((result) => [result.roleId, result]));
  const last = view.progress.length - 1;
  const stateOf = (step: number): StepState => {
    if (view.state !== "running" || view.step > step) return "done";
    return view.step === step ? "now" : "waiting";
  };
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <StepCard at={1} state={stateOf(1)}>
        <Tree>
          {view.progress.map((role, index) => (
            <Branch key={role.roleId} isLast={index === last}>
              <ModelRow role={role} result={results.get(role.roleId)} />
            </Branch>
          ))}
        </Tree>
      </StepCard>
      <StepCard at={2} state={stateOf(2)}>
        <Tree>
          {view.progress.map((role, index) => (
            <Branch key={role.roleId} isLast={index === last}>
              <CheckRow
                role={role}
                result={results.get(role.roleId)}
                isBusy={isBusy}
                onRun={onRun}
              />
            </Branch>
          ))}
        </Tree>
      </StepCard>
      <div className="lg:col-span-2">
        <StepCard at={3} state={view.state === "running" ? "waiting" : "done"}>
          {view.state === "running" ? (
            <p className="pl-7 text-text-3">{text.waitingStep}</p>
          ) : (
            <Summary view={view} />
          )}
        </StepCard>
      </div>
    </div>
  );
}

function Summary({ view }: { readonly view: WireHealth }) {
  const text = useTexts(TEXTS);
  const rehearsing = view.results.filter(
    ({ available, runner }) => available && runner === "rehearsal",
  ).length;
  const format = useFormat();
  const words =
    text.summary(view.available, view.total) + (rehearsing > 0 ? text.rehearsing(rehearsing) : "");
  const took =
    view.startedAt && view.finishedAt
      ? Math.max(0, Date.parse(view.finishedAt) - Date.parse(view.startedAt))
      : null;
  return (
    <div className="flex flex-wrap items-center gap-4 pl-1">
      <ProgressRing
        done={view.available}
        total={view.total}
        size={56}
        tone={view.available === view.total ? "success" : "failed"}
        label={words}
      >
        <span className="font-mono text-xs text-text">
          {view.available}/{view.total}
        </span>
      </ProgressRing>
      <div role="status">
        <p className="font-semibold">{words}</p>
        <p className="text-xs text-text-3">
          {took !== null && text.finished(format.took(took))}
          {view.finishedAt && (
            <>
              {" · "}
              <Ago at={view.finishedAt} />
            </>
          )}
        </p>
      </div>
    </div>
  );
}
