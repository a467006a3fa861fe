import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import type { WireHistoryEntry } from "../../../../src/contract/shapes/history.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { LongText } from "../../ui/long-text.tsx";
import { TEXTS } from "./texts.ts";

const MAX_FILES = 50;

export function RowDetails({ entry }: { readonly entry: WireHistoryEntry }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const { usage } = entry;
  return (
    <div className="grid gap-x-8 gap-y-3 border-t border-line bg-base/60 px-4 py-3 lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <Part title={text.columns.summary}>
          <LongText text={entry.summary || text.noSummary} lines={8} />
        </Part>
        {entry.errorMessage && (
          <Part title={text.error}>
            <LongText text={entry.errorMessage} lines={6} mono className="text-failed" />
          </Part>
        )}
        {entry.warnings && (
          <Part title={text.warnings}>
            {entry.warnings.map((warning) => (
              <p key={warning} className="text-timeout">
                {warning}
              </p>
            ))}
          </Part>
        )}
        <p className="flex flex-wrap gap-x-5 gap-y-1">
          <Link
            to="/agents/$agentId"
            params={{ agentId: entry.agentId }}
            className="inline-flex items-center gap-1 text-violet hover:underline"
          >
            {text.openAgent}
            <ArrowRight size={13} aria-hidden />
          </Link>
          <Link
            to="/groups/$groupId"
            params={{ groupId: entry.groupId }}
            className="inline-flex items-center gap-1 text-violet hover:underline"
          >
            {text.openGroup}
            <ArrowRight size={13} aria-hidden />
          </Link>
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <Files title={text.editedFiles} files={entry.editedFiles} />
        <Files title={text.createdFiles} files={entry.createdFiles} />
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs">
          <Pair name={text.reported}>{text.results[entry.result]}</Pair>
          <Pair name={text.model}>
            <span className="font-mono">
              {entry.model} · {entry.runner}
            </span>
          </Pair>
          {usage && (
            <Pair name={text.tokens}>
              {text.tokenParts(
                format.number(usage.inputTokens),
                format.number(usage.outputTokens),
                format.number(usage.cacheReadTokens + usage.cacheWriteTokens),
              )}
            </Pair>
          )}
          {entry.exitCode !== undefined && (
            <Pair name={text.exitCode}>
              <span className="font-mono">{entry.exitCode}</span>
            </Pair>
          )}
          <Moment name={text.started} at={entry.startedAt} />
          <Moment name={text.ended} at={entry.endedAt} />
        </dl>
      </div>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="text-xs text-text-3">{title}</p>
      {children}
    </div>
  );
}

function Files({ title, files }: { readonly title: string; readonly files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <Part title={`${title} (${files.length})`}>
      <ul className="font-mono text-xs break-all">
        {files.slice(0, MAX_FILES).map((file) => (
          <li key={file}>{file}</li>
        ))}
        {files.length > MAX_FILES && <li className="text-text-3">…</li>}
      </ul>
    </Part>
  );
}

function Pair({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0 break-all">{children}</dd>
    </>
  );
}

function Moment({ name, at }: { readonly name: string; readonly at: string | null }) {
  const format = useFormat();
  if (at === null) return null;
  return (
    <Pair name={name}>
      <time dateTime={at}>
        {format.day(at)} {format.time(at)}
      </time>
    </Pair>
  );
}
