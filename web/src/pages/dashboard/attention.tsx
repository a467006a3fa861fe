import { Link } from "@tanstack/react-router";
import { ArrowRight, CircleCheck } from "lucide-react";
import { useMayOperate } from "../../api/use-me.ts";
import { useOpenChanges } from "../../features/changes/change-data.ts";
import { useAttentionItems } from "../../features/notifications/attention/use-attention-items.ts";
import { useSelfPaused } from "../../features/schedules/use-schedules.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { AttentionCard } from "./attention-card.tsx";
import { ChangesCard } from "./changes-card.tsx";
import { FailuresCard } from "./failures-card.tsx";
import { PausedSchedulesCard } from "./paused-schedules-card.tsx";
import { TEXTS } from "./texts.ts";

const MAX_APPROVALS = 6;
const ITEM = "w-[86%] shrink-0 snap-center only:w-full sm:w-auto";

/** Approvals, failures and schedules that need a person. */
export function Attention() {
  const text = useTexts(TEXTS);
  const { andMore } = useTexts(COMMON);
  const { approvals, failures, forOthers } = useAttentionItems();
  const paused = useSelfPaused();
  const mayOperate = useMayOperate();
  const waiting = useOpenChanges();
  const changes = mayOperate ? waiting.changes : [];
  const undecided = changes.length > 0 ? Math.max(waiting.count, changes.length) : 0;
  const count = approvals.length + failures.length + paused.length + undecided;
  const rest = approvals.length - MAX_APPROVALS;
  return (
    <section aria-labelledby="waiting" className="mb-5">
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <h2 id="waiting" className="text-[15px] font-bold">
          {text.waiting}
          {count > 0 && (
            <span className="ml-2 font-mono text-sm font-normal text-pending">{count}</span>
          )}
        </h2>
        <Link
          to="/approvals"
          className="inline-flex items-center gap-1 text-violet hover:underline"
        >
          {text.allApprovals}
          <ArrowRight size={13} aria-hidden />
        </Link>
      </div>
      {count === 0 ? (
        <p className="flex items-center gap-2 rounded-xl border border-line bg-surface/60 px-4 py-3 text-text-2">
          <CircleCheck size={16} aria-hidden className="text-success" />
          {text.nothingWaits}
        </p>
      ) : (
        <ul className="-mx-4 flex snap-x snap-mandatory gap-3 overflow-x-auto px-4 pb-1 sm:mx-0 sm:grid sm:grid-cols-2 sm:overflow-visible sm:px-0 xl:grid-cols-3">
          {approvals.slice(0, MAX_APPROVALS).map((approval) => (
            <li key={approval.approvalId} className={ITEM}>
              <AttentionCard approval={approval} />
            </li>
          ))}
          {failures.length > 0 && (
            <li className={ITEM}>
              <FailuresCard failures={failures} />
            </li>
          )}
          {changes.length > 0 && (
            <li className={ITEM}>
              <ChangesCard changes={changes} count={waiting.count} />
            </li>
          )}
          {paused.length > 0 && (
            <li className={ITEM}>
              <PausedSchedulesCard schedules={paused} />
            </li>
          )}
        </ul>
      )}
      {forOthers > 0 && <p className="mt-1.5 text-xs text-text-3">{text.forOthers(forOthers)}</p>}
      {rest > 0 && <p className="mt-1.5 text-right text-xs text-text-3">{andMore(rest)}</p>}
    </section>
  );
}
