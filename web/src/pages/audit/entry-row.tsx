import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { WireAudit } from "../../../../src/contract/shapes/audit.ts";
import { usePersonName } from "../../features/people/use-person-name.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Arguments } from "../../ui/arguments.tsx";
import { cx } from "../../ui/cx.ts";
import { RowToggle } from "../../ui/row-toggle.tsx";
import { TEXTS } from "./texts.ts";

export const GRID =
  "lg:grid-cols-[4rem_9rem_minmax(0,11rem)_minmax(0,13rem)_minmax(0,14rem)_minmax(0,1fr)_2rem]";

const AGENT = "agent:";

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
  const nameOf = usePersonName();
  const isAgent = entry.actor.startsWith(AGENT);
  const words = new Map(Object.entries(text.actions)).get(entry.action);
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
        <div role="cell" className="font-mono text-xs text-text-3 max-lg:sr-only">
          #{entry.seq}
        </div>
        <div role="cell" className="order-2 text-xs text-text-2 lg:order-none">
          <time dateTime={entry.at} title={entry.at}>
            {format.dateTime(entry.at)}
            <span className="max-lg:hidden">:{format.time(entry.at).slice(-2)}</span>
          </time>
        </div>
        <div role="cell" className="order-3 min-w-0 lg:order-none">
          <button
            type="button"
            aria-label={text.onlyActor(nameOf(entry.actor))}
            onClick={() => onActor(entry.actor)}
            className="max-w-full rounded text-left text-text-2 hover:text-violet hover:underline"
          >
            {isAgent ? (
              <span className="font-mono text-xs break-all">{entry.actor.slice(AGENT.length)}</span>
            ) : (
              nameOf(entry.actor)
            )}
          </button>
        </div>
        <div role="cell" className="order-1 min-w-0 lg:order-none">
          <p className="font-semibold">{words ?? entry.action}</p>
          {words && <p className="font-mono text-[11px] text-text-3">{entry.action}</p>}
        </div>
        <div role="cell" className="order-4 col-span-2 min-w-0 lg:order-none lg:col-span-1">
          <Subject subject={entry.subject} />
        </div>
        <div role="cell" className="min-w-0 max-lg:hidden">
          <p className="truncate font-mono text-xs text-text-3">{gist(entry.data)}</p>
        </div>
        <div role="cell" className="order-3 justify-self-end lg:order-none">
          <RowToggle
            label={text.details(entry.seq)}
            isOpen={isOpen}
            onToggle={() => onToggle(entry.seq)}
          />
        </div>
      </div>
      {isOpen && (
        <div role="row">
          <div role="cell" className="flex flex-col gap-2 bg-base/60 px-4 py-3">
            <Arguments value={entry.data} />
            <dl className="grid grid-cols-1 gap-x-4 font-mono text-[11px] text-text-3 sm:grid-cols-[auto_minmax(0,1fr)]">
              <dt>{text.hash}</dt>
              <dd className="break-all">{entry.hash}</dd>
              <dt>{text.prevHash}</dt>
              <dd className="break-all">{entry.prevHash}</dd>
            </dl>
          </div>
        </div>
      )}
    </div>
  );
});

function gist(data: Readonly<Record<string, unknown>>): string {
  return Object.entries(data)
    .filter(([name, value]) => value !== null && !/hash$/i.test(name))
    .slice(0, 6)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ")
    .slice(0, 300);
}

const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^task-/, "/tasks/"],
  [/^apr-/, "/approvals/"],
  [/^grp-/, "/groups/"],
  [/^[a-z0-9][a-z0-9-]*-\d{9,}-[0-9a-f]{4,}$/, "/agents/"],
];

function Subject({ subject }: { readonly subject: string }) {
  const found = PAGES.find(([is]) => is.test(subject));
  const look = "font-mono text-xs break-all";
  if (!found) return <span className={cx(look, "text-text-2")}>{subject}</span>;
  return (
    <Link
      to={found[1] + encodeURIComponent(subject)}
      className={cx(look, "text-violet hover:underline")}
    >
      {subject}
    </Link>
  );
}
