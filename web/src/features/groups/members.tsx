import { useRef } from "react";
import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { EmptyState } from "../../ui/notes.tsx";
import { useWidth } from "../../ui/use-width.ts";
import { WindowList } from "../../ui/virtual-list.tsx";
import { AgentTile, AgentTileFor } from "../agents/agent-tile.tsx";
import { TEXTS } from "./texts.ts";

const LEAST_TILE_PX = 262;

const MAX_COLUMNS = 4;

export function Members({
  agents,
  total,
}: {
  readonly agents: readonly AgentCard[];
  readonly total: number;
}) {
  const text = useTexts(TEXTS);
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const columns = Math.max(1, Math.min(MAX_COLUMNS, Math.floor(width / LEAST_TILE_PX)));
  const rows = Math.ceil(agents.length / columns);
  return (
    <section aria-labelledby="members" className="mb-5">
      <h2 id="members" className="mb-2 text-[15px] font-bold">
        {text.agents} <span className="font-mono text-sm text-text-3">{total}</span>
      </h2>
      {agents.length < total && (
        <p className="mb-2 text-xs text-text-3">{text.showing(agents.length, total)}</p>
      )}
      {agents.length === 0 && <EmptyState title={text.noAgents} />}
      <div ref={place}>
        {width > 0 && (
          <WindowList
            count={rows}
            keyOf={(index) => agents[index * columns]?.agentId ?? index}
            estimate={() => 168}
            render={(index) => (
              <div
                className="grid gap-2.5 pb-2.5"
                style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
              >
                {agents.slice(index * columns, (index + 1) * columns).map((agent) => (
                  <Member key={agent.agentId} agent={agent} />
                ))}
              </div>
            )}
          />
        )}
      </div>
    </section>
  );
}

/** Live values if the agent is in the live state, otherwise the loaded ones. */
function Member({ agent }: { readonly agent: AgentCard }) {
  const isInView = useLive((state) => state.agents.has(agent.agentId));
  return isInView ? <AgentTile agentId={agent.agentId} /> : <AgentTileFor agent={agent} />;
}
