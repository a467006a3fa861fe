import { Link } from "@tanstack/react-router";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { cx } from "../../../ui/cx.ts";
import type { ChangeOverlap } from "../change-data.ts";
import { LISTS } from "../list-texts.ts";
import { levelWord, worstFirst } from "./overlap-badge.tsx";

const MAX_PATHS = 5;

export type OverlapListProps = {
  readonly overlaps: readonly ChangeOverlap[];
  /** On the page of one agent, only the other one is named. */
  readonly of?: string;
};

/** Pairs of agents that change the same files, the worst first. */
export function OverlapList({ overlaps, of }: OverlapListProps) {
  const text = useTexts(LISTS);
  if (overlaps.length === 0) return null;
  return (
    <section aria-label={text.overlaps}>
      <p className="text-xs font-semibold text-text-3">{text.overlaps}</p>
      <ul className="flex flex-col gap-1.5 pt-1">
        {worstFirst(overlaps).map((overlap) => (
          <li
            key={`${overlap.workspaceId} ${overlap.otherWorkspaceId}`}
            className={cx(
              "min-w-0 rounded-lg border px-2.5 py-1.5 text-xs",
              overlap.level === "conflict" ? "border-timeout/50 bg-timeout/10" : "border-line",
            )}
          >
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span
                className={cx(
                  "font-semibold",
                  overlap.level === "conflict" ? "text-timeout" : "text-text-2",
                )}
              >
                {levelWord(overlap.level, text)}
              </span>
              {overlap.agentId !== of && (
                <>
                  <AgentLink agentId={overlap.agentId} />
                  <span aria-hidden>×</span>
                </>
              )}
              <AgentLink agentId={overlap.otherAgentId} />
            </p>
            <p className="text-text-2">{text.levels[overlap.level]}</p>
            <ul className="font-mono text-[11px] text-text-3">
              {overlap.paths.slice(0, MAX_PATHS).map((path) => (
                <li key={path} className="break-all">
                  {visibleName(path)}
                </li>
              ))}
              {overlap.paths.length > MAX_PATHS && (
                <li>{text.more(overlap.paths.length - MAX_PATHS)}</li>
              )}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function AgentLink({ agentId }: { readonly agentId: string }) {
  return (
    <Link
      to="/agents/$agentId"
      params={{ agentId }}
      search={{ tab: "changes" }}
      className="inline-block min-h-[24px] py-0.5 font-mono text-[11px] break-all text-violet hover:underline"
    >
      {agentId}
    </Link>
  );
}
