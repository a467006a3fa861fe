import { useState } from "react";
import type { WireRunnerModels, WireSystem } from "../../../../src/contract/shapes/health.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Field } from "../../ui/field.tsx";
import { CountBadge } from "../../ui/page-head.tsx";
import { Ago } from "../../ui/times.tsx";
import { TEXTS } from "./texts.ts";

const FILTER_ABOVE = 20;

/** The models a CLI lists, or why it lists none. */
export function RunnerCard({
  of,
  system,
}: {
  readonly of: WireRunnerModels;
  readonly system: WireSystem;
}) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const [wanted, setWanted] = useState("");
  const shown = of.models.filter((model) =>
    model.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  return (
    <Card className="flex flex-col gap-2 p-4">
      <div className="flex items-center gap-2">
        <h3 className="font-mono font-bold">{of.runner}</h3>
        <CountBadge>{text.count(format.number(of.models.length))}</CountBadge>
        <span className="ml-auto text-xs text-text-3">
          {of.checkedAt && (
            <>
              {text.checked} <Ago at={of.checkedAt} />
            </>
          )}
        </span>
        {of.models.length > 0 && (
          <CopyButton text={of.models.join("\n")} label={`${of.runner}: ${text.copyAll}`} />
        )}
      </div>
      {of.models.length === 0 ? (
        <div>
          <p className="font-semibold text-text-2">{text.noModels}</p>
          <p className="text-xs text-text-3">{whyNone(of, system, text)}</p>
        </div>
      ) : (
        <>
          {of.models.length > FILTER_ABOVE && (
            <Field label={text.filter(of.runner)} value={wanted} onChange={setWanted} mono />
          )}
          {shown.length === 0 && <p className="text-text-3">{text.noMatch}</p>}
          <ul
            tabIndex={0}
            aria-label={`${of.runner}: ${text.models}`}
            className="max-h-80 overflow-y-auto font-mono text-xs leading-6 select-text"
          >
            {shown.map((model) => (
              <li
                key={model}
                className="flex items-center justify-between gap-2 rounded px-1 hover:bg-raised"
              >
                <span className="break-all">{model}</span>
                <CopyButton text={model} label={model} className="!min-h-6 !px-1.5" />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function whyNone(of: WireRunnerModels, system: WireSystem, text: (typeof TEXTS)["ja"]): string {
  if (of.runner === "rehearsal") return text.anyName;
  const command = system.runners.find(({ id }) => id === of.runner)?.command ?? null;
  if (command === null) return text.notInstalled;
  return of.checkedAt === null ? text.notAsked : text.notNamed;
}
