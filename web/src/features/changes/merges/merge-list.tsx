import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { WireMerge } from "../../../../../src/contract/shapes/merges.ts";
import { landCommand, mergeProblemText } from "../../../../../src/contract/values.ts";
import { get, post } from "../../../api/http.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useLocale } from "../../../i18n/locale.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visible, visibleName } from "../../../text/visible.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { LongText } from "../../../ui/long-text.tsx";
import { Loading } from "../../../ui/notes.tsx";
import { StatusBadge, toneOf } from "../../../ui/status-badge.tsx";
import { Ago } from "../../../ui/times.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { usePersonName } from "../../people/use-person-name.ts";
import { MERGES } from "../merge-texts.ts";
import { canCancel, canRetry } from "./merge-actions.ts";

/** The merges of a change, newest first, with what a person can do about them. */
export function MergeList({ merges }: { readonly merges: readonly WireMerge[] }) {
  const text = useTexts(MERGES);
  if (merges.length === 0) return null;
  return (
    <section aria-label={text.list}>
      <ul className="flex flex-col gap-2">
        {merges.map((merge) => (
          <li key={merge.mergeId}>
            <MergeCard merge={merge} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function MergeCard({ merge }: { readonly merge: WireMerge }) {
  const text = useTexts(MERGES);
  const nameOf = usePersonName();
  return (
    <Card bar={toneOf(merge.status)} className="flex flex-col gap-2 py-3 pr-3 pl-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={merge.status} label={text.statuses[merge.status]} />
        <span className="font-semibold">{text.line(merge.version, visibleName(merge.target))}</span>
        <span className="text-xs text-text-3">
          {text.by(nameOf(merge.requester))} · <Ago at={merge.endedAt ?? merge.createdAt} />
        </span>
        {merge.result !== null && (
          <span className="text-xs text-text-3">
            {text.commit} <code className="font-mono">{merge.result.slice(0, 10)}</code>
          </span>
        )}
      </div>
      {merge.problem !== null && <Problem problem={merge.problem} />}
      {merge.conflicts.length > 0 && (
        <details>
          <summary className="cursor-pointer text-xs text-text-2">
            {text.conflictFiles} {merge.conflicts.length}
          </summary>
          <ul className="pt-1 font-mono text-xs">
            {merge.conflicts.map((path) => (
              <li key={path} className="break-all">
                {visibleName(path)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {merge.checkExit !== null && <Check merge={merge} />}
      <Actions merge={merge} />
    </Card>
  );
}

function Problem({ problem }: { readonly problem: NonNullable<WireMerge["problem"]> }) {
  const text = useTexts(MERGES);
  const locale = useLocale((state) => state.locale);
  const words =
    problem.type === "checked_out"
      ? text.checkedOut(problem.target, problem.path)
      : mergeProblemText(problem, locale);
  return (
    <>
      <p dir="auto" className="whitespace-pre-wrap text-text-2">
        {visible(words)}
      </p>
      {problem.type === "checked_out" && (
        <p className="flex max-w-full items-center gap-2 self-start rounded-lg border border-line bg-base py-1 pr-1 pl-3">
          <code className="min-w-0 font-mono text-xs break-all">{landCommand(problem.commit)}</code>
          <CopyButton text={landCommand(problem.commit)} className="!min-h-[24px] min-w-[24px]" />
        </p>
      )}
    </>
  );
}

/** The output is read when it is opened. */
function Check({ merge }: { readonly merge: WireMerge }) {
  const text = useTexts(MERGES);
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ["merge", merge.mergeId, merge.status, merge.checkExit],
    queryFn: ({ signal }) => get("/api/merges/{id}", { params: { id: merge.mergeId }, signal }),
    enabled: isOpen,
  });
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-xs text-text-2">
        {text.check}
        {merge.checkExit !== null && <> · {text.exit(merge.checkExit)}</>}
      </summary>
      {isOpen && !data && <Loading />}
      {data && (
        <div className="mt-1 rounded-lg border border-line bg-base p-2">
          {data.checkCommand !== null && (
            <p className="font-mono text-xs text-text-3">$ {visibleName(data.checkCommand)}</p>
          )}
          <LongText text={data.checkOutput ?? text.noOutput} lines={20} mono />
        </div>
      )}
    </details>
  );
}

function Actions({ merge }: { readonly merge: WireMerge }) {
  const text = useTexts(MERGES);
  const mayOperate = useMayOperate();
  const params = { id: merge.mergeId };
  const retry = useAction((intoCheckout: boolean) =>
    post("/api/merges/{id}/retry", { params, body: intoCheckout ? { intoCheckout } : {} }),
  );
  const cancel = useAction(() => post("/api/merges/{id}/cancel", { params }));
  const { status, approvalId, intoCheckout } = merge;
  return (
    <div className="flex flex-wrap items-center gap-2 empty:hidden">
      {status === "awaiting_approval" && approvalId !== null && (
        <Link
          to="/approvals/$approvalId"
          params={{ approvalId }}
          className="text-violet hover:underline"
        >
          {text.decide}
        </Link>
      )}
      {mayOperate && status === "ready_to_land" && !intoCheckout && (
        <Button
          size="small"
          look="violet"
          isPending={retry.isRunning}
          onPress={() => void retry.run(true)}
        >
          {text.retryCheckout}
        </Button>
      )}
      {mayOperate && canRetry(status) && (
        <Button size="small" isPending={retry.isRunning} onPress={() => void retry.run(false)}>
          {text.retry}
        </Button>
      )}
      {mayOperate && canCancel(status) && (
        <Button
          size="small"
          look="ghost"
          isPending={cancel.isRunning}
          onPress={() => void cancel.run()}
        >
          {text.cancel}
        </Button>
      )}
      {mayOperate && status === "landed" && <UndoMerge merge={merge} />}
    </div>
  );
}

function UndoMerge({ merge }: { readonly merge: WireMerge }) {
  const text = useTexts(MERGES);
  const common = useTexts(COMMON);
  const [isOpen, setOpen] = useState(false);
  const undo = useAction(async () => {
    await post("/api/merges/{id}/undo", { params: { id: merge.mergeId } });
    setOpen(false);
  });
  return (
    <>
      <Button size="small" look="ghost" onPress={() => setOpen(true)}>
        {text.undo}
      </Button>
      <Dialog title={text.undoTitle} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="text-text-2">{text.undoBody(visibleName(merge.target))}</p>
        <div className="mt-4 flex justify-end gap-2">
          <Button onPress={() => setOpen(false)}>{common.cancel}</Button>
          <Button look="danger" isPending={undo.isRunning} onPress={() => void undo.run()}>
            {text.undoGo}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
