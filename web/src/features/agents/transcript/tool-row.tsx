import { ChevronRight, CircleSlash, CircleX, LoaderCircle, Wrench } from "lucide-react";
import { fieldsOf, isRecord, textOf } from "../../../../../src/base/narrow.ts";
import type { ToolEntry } from "../../../../../src/contract/transcript/entries.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Arguments } from "../../../ui/arguments.tsx";
import { cx } from "../../../ui/cx.ts";
import { LongText } from "../../../ui/long-text.tsx";
import { Diff } from "../diff.tsx";
import { TEXTS } from "../texts.ts";

export type ToolRowProps = {
  readonly entry: ToolEntry;
  /** The agent has ended: a call without a response gets none any more. */
  readonly isOver: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

/** A tool call in one line; expands to its arguments and response. */
export function ToolRow({ entry, isOver, isOpen, onToggle }: ToolRowProps) {
  const { tool, server, args, at, endedAt, change } = entry;
  const state = entry.state === "running" && isOver ? "unanswered" : entry.state;
  const format = useFormat();
  const took = at !== null && endedAt !== null ? endedAt - at : null;
  return (
    <div
      className={cx(
        "rounded-lg border bg-base/60",
        state === "failed" ? "border-failed/50" : "border-line",
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex w-full min-w-0 items-center gap-2 rounded-lg px-2.5 py-1.5 text-left hover:bg-raised/60"
      >
        <StateIcon state={state} />
        <span className="shrink-0 font-mono text-xs font-semibold">
          {server && <span className="font-normal text-text-3">{server}/</span>}
          {tool}
        </span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs text-text-2">{gist(args)}</span>
        {change && <Added added={change.added} removed={change.removed} />}
        {took !== null && (
          <span className="shrink-0 font-mono text-[11px] text-text-3">{format.took(took)}</span>
        )}
        <ChevronRight
          size={14}
          aria-hidden
          className={cx("shrink-0 text-text-3 transition-transform", isOpen && "rotate-90")}
        />
      </button>
      {isOpen && <ToolBody entry={entry} state={state} />}
    </div>
  );
}

type State = ToolEntry["state"] | "unanswered";

function StateIcon({ state }: { readonly state: State }) {
  if (state === "failed") return <CircleX size={13} aria-hidden className="shrink-0 text-failed" />;
  if (state === "ok") return <Wrench size={13} aria-hidden className="shrink-0 text-success" />;
  if (state === "unanswered") {
    return <CircleSlash size={13} aria-hidden className="shrink-0 text-text-3" />;
  }
  return <LoaderCircle size={13} aria-hidden className="shrink-0 animate-spin text-running" />;
}

export function Added({
  added,
  removed,
}: {
  readonly added: number | null;
  readonly removed: number | null;
}) {
  return (
    <span className="shrink-0 font-mono text-[11px]">
      {added !== null && <span className="text-success">+{added}</span>}{" "}
      {removed !== null && removed > 0 && <span className="text-failed">−{removed}</span>}
    </span>
  );
}

type ToolBodyProps = { readonly entry: ToolEntry; readonly state: State };

function ToolBody({ entry: { args, result, change }, state }: ToolBodyProps) {
  const text = useTexts(TEXTS);
  return (
    <div className="flex min-w-0 flex-col gap-2 border-t border-line px-2.5 py-2">
      {change?.diff ? (
        <Diff text={change.diff} />
      ) : (
        <Part label={text.args}>
          <Shown value={args} />
        </Part>
      )}
      <Part label={text.answer}>
        {state === "running" ? (
          <p className="text-text-3">{text.noAnswerYet}</p>
        ) : result === undefined || result === "" ? (
          <p className="text-text-3">{text.noAnswer}</p>
        ) : (
          <Shown value={result} />
        )}
      </Part>
    </div>
  );
}

function Part({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="text-[11px] text-text-3">{label}</p>
      {children}
    </div>
  );
}

function Shown({ value }: { readonly value: unknown }) {
  return typeof value === "string" ? (
    <LongText text={value} lines={14} mono />
  ) : (
    <Arguments value={value} />
  );
}

const MAX_GIST_CHARS = 200;

/** The most telling argument: the command, the file or the pattern. */
function gist(args: unknown): string {
  if (!isRecord(args)) return textOf(args)?.slice(0, MAX_GIST_CHARS) ?? "";
  const fields = fieldsOf(args);
  const first = ["command", "path", "file_path", "pattern", "query", "url", "summary"]
    .map((name) => textOf(fields[name]))
    .find((value) => value !== undefined);
  if (first !== undefined) return first.slice(0, MAX_GIST_CHARS);
  return Object.entries(fields)
    .slice(0, 4)
    .map(([name, value]) => `${name}: ${short(value)}`)
    .join(", ")
    .slice(0, MAX_GIST_CHARS);
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (text ?? "").slice(0, 60).replaceAll("\n", " ");
}
