import type { WireWorkspace } from "../../../../../src/contract/shapes/workspaces.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { cx } from "../../../ui/cx.ts";
import type { ChangeOverlap } from "../change-data.ts";
import { LISTS } from "../list-texts.ts";
import { levelWord } from "./overlap-badge.tsx";

export type OverlapMatrixProps = {
  readonly changes: readonly WireWorkspace[];
  readonly overlaps: readonly ChangeOverlap[];
};

/** More agents do not fit; the list beside it has all pairs. */
const MAX_AGENTS = 12;

const TONES = {
  conflict: "bg-timeout text-on-alarm",
  same_file: "bg-queued/30 text-text",
  generated: "bg-queued/15 text-text-2",
} as const;
const SIGNS = { conflict: "×", same_file: "=", generated: "~" } as const;

/** Which agents overlap, at a glance. Only agents that overlap with another one are in it. */
export function OverlapMatrix({ changes, overlaps }: OverlapMatrixProps) {
  const text = useTexts(LISTS);
  const names = new Set(overlaps.flatMap(({ agentId, otherAgentId }) => [agentId, otherAgentId]));
  const agents = changes.map(({ agentId }) => agentId).filter((id) => names.has(id));
  if (agents.length < 3 || agents.length > MAX_AGENTS) return null;
  return (
    <table className="border-separate border-spacing-0.5 text-[11px]">
      <caption className="sr-only">{text.overlapNote}</caption>
      <thead>
        <tr>
          <td />
          {agents.map((agentId) => (
            <th key={agentId} scope="col" className="font-mono font-normal text-text-3">
              <span className="sr-only">{agentId}</span>
              <span aria-hidden>{agentId.slice(-4)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {agents.map((row) => (
          <tr key={row}>
            <th scope="row" className="pr-1 text-right font-mono font-normal text-text-3">
              {row}
            </th>
            {agents.map((column) => {
              const level = row === column ? null : levelOf(overlaps, row, column);
              return (
                <td
                  key={column}
                  className={cx(
                    "h-7 w-9 rounded text-center",
                    level === null ? (row === column ? "bg-line/40" : "bg-raised") : TONES[level],
                  )}
                >
                  {level !== null && (
                    <>
                      <span aria-hidden>{SIGNS[level]}</span>
                      <span className="sr-only">{levelWord(level, text)}</span>
                    </>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function levelOf(
  overlaps: readonly ChangeOverlap[],
  one: string,
  other: string,
): ChangeOverlap["level"] | null {
  const found = overlaps.find(
    ({ agentId, otherAgentId }) =>
      (agentId === one && otherAgentId === other) || (agentId === other && otherAgentId === one),
  );
  return found?.level ?? null;
}
