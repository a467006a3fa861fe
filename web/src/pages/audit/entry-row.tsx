import { memo } from "react";
import type { WireAudit } from "../../../../src/contract/shapes/audit.ts";
import { EntryDetails } from "../../features/people/audit/entry-details.tsx";
import { SubjectLink } from "../../features/people/audit/subject-link.tsx";
import { useAuditSentence } from "../../features/people/audit/use-audit-sentence.ts";
import { usePersonName } from "../../features/people/use-person-name.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cx } from "../../ui/cx.ts";
import { RowToggle } from "../../ui/row-toggle.tsx";
import { TEXTS } from "./texts.ts";

export const GRID = "lg:grid-cols-[4rem_9rem_minmax(0,1fr)_15rem_2rem]";

export type EntryRowProps = {
  readonly entry: WireAudit;
  readonly index: number;
  readonly isOpen: boolean;
  readonly onToggle: (seq: number) => void;
  readonly onActor: (actor: string) => void;
};

export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { entry, index, isOpen, onToggle, onActor } = props;
  const text = useTexts(TEXTS);
  const format = useFormat();
  const sentenceOf = useAuditSentence();
  return (
    <div className="border-b border-line">
      <div
        role="row"
        aria-rowindex={index + 2}
        className={cx(
          GRID,
          "grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-0.5 px-3 py-2 hover:bg-raised/60",
        )}
      >
        <div role="cell" className="font-mono text-xs leading-[1.6rem] text-text-3 max-lg:sr-only">
          #{entry.seq}
        </div>
        <div role="cell" className="order-2 text-xs leading-[1.6rem] text-text-2 lg:order-none">
          <time dateTime={entry.at} title={entry.at}>
            {format.dateTime(entry.at)}
            <span className="max-lg:hidden">:{format.time(entry.at).slice(-2)}</span>
          </time>
        </div>
        <div role="cell" className="order-1 min-w-0 lg:order-none">
          <p className="line-clamp-3" dir="auto">
            {sentenceOf(entry)}
          </p>
        </div>
        <div role="cell" className="order-4 col-span-2 min-w-0 lg:order-none lg:col-span-1">
          <SubjectLink subject={entry.subject} />
        </div>
        <div role="cell" className="order-1 justify-self-end lg:order-none">
          <RowToggle
            label={text.details(entry.seq)}
            isOpen={isOpen}
            onToggle={() => onToggle(entry.seq)}
          />
        </div>
      </div>
      {isOpen && <Opened entry={entry} onActor={onActor} />}
    </div>
  );
});

function Opened({ entry, onActor }: Pick<EntryRowProps, "entry" | "onActor">) {
  const text = useTexts(TEXTS);
  const nameOf = usePersonName();
  const sentenceOf = useAuditSentence();
  return (
    <div role="row">
      <div role="cell" className="flex flex-col gap-3 bg-base/60 px-4 py-3">
        <p className="whitespace-pre-wrap" dir="auto">
          {sentenceOf(entry)}
        </p>
        <EntryDetails entry={entry} />
        <dl className="grid grid-cols-1 gap-x-4 font-mono text-[11px] text-text-3 sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt>{text.hash}</dt>
          <dd className="break-all">{entry.hash}</dd>
          <dt>{text.prevHash}</dt>
          <dd className="break-all">{entry.prevHash}</dd>
        </dl>
        <button
          type="button"
          onClick={() => onActor(entry.actor)}
          className="w-fit text-xs text-violet hover:underline"
        >
          {text.onlyActor(nameOf(entry.actor))}
        </button>
      </div>
    </div>
  );
}
