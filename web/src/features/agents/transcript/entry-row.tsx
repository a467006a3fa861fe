import { CircleCheck, CircleX, Lightbulb, Play, Send } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { Entry } from "../../../../../src/contract/transcript/entries.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { cx } from "../../../ui/cx.ts";
import { LongText } from "../../../ui/long-text.tsx";
import { TEXTS } from "../texts.ts";
import { ToolRow } from "./tool-row.tsx";

export type EntryRowProps = {
  readonly entry: Entry;
  /** The agent has ended. */
  readonly isOver: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (key: string) => void;
};

export const EntryRow = memo(function EntryRow({ entry, isOver, isOpen, onToggle }: EntryRowProps) {
  const isContinued = entry.kind === "text" && entry.isContinued;
  return (
    <div
      className={cx(
        "grid grid-cols-1 gap-x-3 px-3 sm:grid-cols-[4.6rem_minmax(0,1fr)]",
        isContinued ? "" : "pt-1.5",
      )}
    >
      <Time at={isContinued ? null : entry.at} isBoxed={entry.kind === "tool"} />
      <div className="min-w-0 pb-0.5">
        <Content {...{ entry, isOver, isOpen }} onToggle={() => onToggle(entry.key)} />
      </div>
    </div>
  );
});

function Time({ at, isBoxed }: { readonly at: number | null; readonly isBoxed: boolean }) {
  const format = useFormat();
  return (
    <span
      className={cx(
        "hidden font-mono text-[11px] leading-5 text-text-3 sm:block",
        isBoxed ? "pt-[5px]" : "pt-px",
      )}
    >
      {at === null ? "" : format.time(at)}
    </span>
  );
}

type ContentProps = Omit<EntryRowProps, "onToggle"> & { readonly onToggle: () => void };

function Content({ entry, isOver, isOpen, onToggle }: ContentProps) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  switch (entry.kind) {
    case "session":
      return (
        <Note icon={<Play size={13} aria-hidden className="text-violet" />}>
          {text.session(entry.model)} <span className="font-mono text-xs">{entry.directory}</span>
        </Note>
      );
    case "prompt":
      return (
        <Note icon={<Send size={13} aria-hidden className="text-violet" />}>
          {text.sent}
          <LongText text={entry.text} lines={3} className="text-text-3" />
        </Note>
      );
    case "text":
      return (
        <p dir="auto" className="leading-[1.6] whitespace-pre-wrap">
          {entry.text}
        </p>
      );
    case "thought":
      return (
        <Note icon={<Lightbulb size={13} aria-hidden className="text-generating" />}>
          <span className="sr-only">{text.thought}: </span>
          <span className="whitespace-pre-wrap italic">{entry.text}</span>
        </Note>
      );
    case "tool":
      return <ToolRow {...{ entry, isOver, isOpen, onToggle }} />;
    case "end":
      return (
        <Note
          icon={
            entry.isOk ? (
              <CircleCheck size={13} aria-hidden className="text-success" />
            ) : (
              <CircleX size={13} aria-hidden className="text-failed" />
            )
          }
        >
          <span className={entry.isOk ? "text-success" : "text-failed"}>
            {entry.isOk ? text.done : text.broke}
          </span>
          {entry.durationMs !== null && (
            <span className="ml-2 font-mono text-xs">{format.took(entry.durationMs)}</span>
          )}
          {!entry.isOk && <LongText text={entry.text} lines={6} />}
        </Note>
      );
    case "line":
      return (
        <div className="border-l-2 border-line pl-2">
          <span className="sr-only">{text.unreadable}: </span>
          <LongText text={entry.text} lines={3} mono className="text-text-3" />
          {entry.isCut && <p className="text-xs text-timeout">{text.cut}</p>}
        </div>
      );
  }
}

function Note({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex gap-2 text-text-2">
      <span className="pt-[4px]">{icon}</span>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
