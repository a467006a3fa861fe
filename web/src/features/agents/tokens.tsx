import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import type { AgentDetail } from "./agent-data.ts";
import { TEXTS } from "./texts.ts";

export function Tokens({ agent }: { readonly agent: AgentDetail }) {
  const text = useTexts(TEXTS).tokens;
  const format = useFormat();
  const usage = agent.progress.usage ?? agent.result?.usage ?? null;
  const { cost, currency, reason } = agent.cost;
  return (
    <Card aria-labelledby="tokens" className="p-4">
      <h2 id="tokens" className="mb-2 flex items-baseline justify-between font-semibold">
        {text.title}
        {cost !== null && <span className="font-mono text-lg">{format.money(cost, currency)}</span>}
      </h2>
      {usage === null ? (
        <p className="text-text-3">{text.noUsage}</p>
      ) : (
        <>
          <dl className="grid grid-cols-2 gap-x-6 gap-y-1">
            <Figure name={text.input} value={format.number(usage.inputTokens)} />
            <Figure name={text.output} value={format.number(usage.outputTokens)} />
            <Figure name={text.cacheRead} value={format.number(usage.cacheReadTokens)} />
            <Figure name={text.cacheWrite} value={format.number(usage.cacheWriteTokens)} />
          </dl>
          {agent.progress.reportedModel && (
            <p className="mt-2 text-xs text-text-3">
              {text.reportedModel}{" "}
              <span className="font-mono text-text-2">{agent.progress.reportedModel}</span>
            </p>
          )}
          {reason === "no price" && <p className="mt-2 text-xs text-timeout">{text.noPrice}</p>}
        </>
      )}
    </Card>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-2 border-b border-line/60 py-0.5">
      <dt className="text-xs text-text-3">{name}</dt>
      <dd className="font-mono whitespace-nowrap">{value}</dd>
    </div>
  );
}
