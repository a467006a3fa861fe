import { ArrowRight, Ban, Check, X } from "lucide-react";
import type { ReactNode } from "react";
import type { WireProcess, WirePrompt } from "../../../api/task-detail.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { LongText } from "../../../ui/long-text.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import { TASK } from "../detail/texts.ts";

type Draft = WirePrompt | WireProcess;

/** The decision on each version, with its reason. */
export function DraftHistory({ drafts }: { readonly drafts: readonly Draft[] }) {
  const over = drafts.filter(({ status }) => status !== "pending_approval");
  if (over.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 border-t border-line pt-2 text-xs">
      {over.map((draft) => (
        <li key={draft.version}>
          <Line draft={draft} next={drafts.find(({ version }) => version > draft.version)} />
        </li>
      ))}
    </ul>
  );
}

function Line({ draft, next }: { readonly draft: Draft; readonly next: Draft | undefined }) {
  const text = useTexts(TASK);
  const nameOf = usePersonName();
  const format = useFormat();
  const { version, status, decidedBy, decidedAt, reason } = draft;
  const icon = { size: 13, "aria-hidden": true } as const;
  switch (status) {
    case "approved":
      return (
        <Row icon={<Check {...icon} className="text-success" />}>
          {text.approvedLine(version, nameOf(decidedBy), decidedAt ? format.time(decidedAt) : "")}
        </Row>
      );
    case "rejected":
      return (
        <>
          <Row icon={<X {...icon} className="text-failed" />}>
            {text.rejectedLine(version, nameOf(decidedBy))}
            {reason !== null && (
              <LongText text={text.reason(reason)} lines={4} className="text-text" />
            )}
          </Row>
          {next && (
            <Row icon={<ArrowRight {...icon} className="text-violet" />}>
              {text.nextLine(next.version)}
            </Row>
          )}
        </>
      );
    case "expired":
      return <Row icon={<Ban {...icon} />}>{text.expiredLine(version)}</Row>;
    case "superseded":
    case "cancelled":
      return <Row icon={<Ban {...icon} />}>{text.closedLine(version)}</Row>;
    case "pending_approval":
      return null;
  }
}

function Row({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex gap-2 text-text-2">
      <span className="mt-0.5 shrink-0">{icon}</span>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
