import type { WireGroup } from "../../../../src/contract/shapes/groups.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { cx } from "../../ui/cx.ts";
import { LongText } from "../../ui/long-text.tsx";
import { TEXTS } from "./texts.ts";

type Magentic = NonNullable<WireGroup["magentic"]>;

/** The orchestrator's ledger: facts, plan and progress. */
export function Ledger({ magentic }: { readonly magentic: Magentic }) {
  const text = useTexts(TEXTS).ledger;
  const { ledger, iterations, maxIterations, availableRoles } = magentic;
  return (
    <section aria-labelledby="ledger" className="mb-5">
      <h2 id="ledger" className="mb-2 text-[15px] font-bold">
        {text.title}
      </h2>
      {iterations >= maxIterations && <p className="mb-2 text-timeout">{text.limit}</p>}
      <div className="grid gap-3 lg:grid-cols-2">
        <Card className="p-4">
          <h3 className="mb-2 font-semibold">{text.task}</h3>
          {ledger.task ? (
            <dl className="flex flex-col gap-2">
              <Item name={text.plan} value={ledger.task.plan} />
              <Item name={text.factsGiven} value={ledger.task.factsGiven} />
              <Item name={text.factsToLookUp} value={ledger.task.factsToLookUp} />
              <Item name={text.factsToDerive} value={ledger.task.factsToDerive} />
              <Item name={text.guesses} value={ledger.task.guesses} />
            </dl>
          ) : (
            <p className="text-text-3">{text.none}</p>
          )}
          <p className="mt-3 text-xs text-text-3">
            {text.roles}: <span className="font-mono">{availableRoles.join(", ")}</span>
          </p>
        </Card>
        <Card className="p-4">
          <h3 className="mb-2 font-semibold">{text.progress}</h3>
          {ledger.progress ? (
            <dl className="flex flex-col gap-2">
              <Judgement name={text.requestSatisfied} of={ledger.progress.requestSatisfied} good />
              <Judgement name={text.progressMade} of={ledger.progress.progressMade} good />
              <Judgement name={text.inLoop} of={ledger.progress.inLoop} good={false} />
              <Item
                name={text.nextAction}
                value={`${ledger.progress.nextAction.answer}\n${ledger.progress.nextAction.reason}`}
              />
              <Item
                name={text.instruction}
                value={`${ledger.progress.instruction.answer}\n${ledger.progress.instruction.reason}`}
              />
            </dl>
          ) : (
            <p className="text-text-3">{text.none}</p>
          )}
        </Card>
      </div>
    </section>
  );
}

function Item({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt className="text-xs text-text-3">{name}</dt>
      <dd>
        <LongText text={value.trim() || "—"} lines={4} className="text-text-2" />
      </dd>
    </div>
  );
}

function Judgement({
  name,
  of,
  good,
}: {
  readonly name: string;
  readonly of: { readonly answer: boolean; readonly reason: string };
  /** The answer that is shown in green. */
  readonly good: boolean;
}) {
  const text = useTexts(TEXTS).ledger;
  return (
    <div>
      <dt className="text-xs text-text-3">{name}</dt>
      <dd>
        <span className={cx("font-semibold", of.answer === good ? "text-success" : "text-timeout")}>
          {of.answer ? text.yes : text.no}
        </span>
        <LongText text={of.reason} lines={3} className="text-text-2" />
      </dd>
    </div>
  );
}
