import { ChevronRight } from "lucide-react";
import { useMayOperate } from "../../../api/use-me.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { TEXTS } from "./texts.ts";
import { TryButton, useTryCost } from "./try-button.tsx";

export function TryIt() {
  const text = useTexts(TEXTS);
  const cost = useTryCost();
  const mayOperate = useMayOperate();
  return (
    <div className="flex flex-col gap-3">
      <p className="text-text-2">{text.tryNote}</p>
      <TryRequest />
      <TryFlow />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {mayOperate && <TryButton />}
        <p className="text-xs text-text-3">{cost}</p>
      </div>
    </div>
  );
}

export function TryRequest() {
  const text = useTexts(TEXTS);
  return (
    <p className="rounded-lg border-l-2 border-violet bg-base px-3 py-2">
      <span className="block text-xs text-text-3">{text.what}</span>
      {text.tryText}
    </p>
  );
}

/** What happens after the request, and which steps are up to the person. */
export function TryFlow() {
  const text = useTexts(TEXTS);
  return (
    <ol aria-label={text.flow} className="flex flex-wrap items-center gap-1 text-xs">
      {text.flowSteps.map(({ step, isYours }, index) => (
        <li key={step} className="flex items-center gap-1">
          {index > 0 && <ChevronRight size={13} aria-hidden className="text-text-3" />}
          <span
            className={
              isYours
                ? "rounded-full border border-pending/60 bg-pending/10 px-2.5 py-0.5 text-pending"
                : "rounded-full border border-line bg-raised px-2.5 py-0.5 text-text-2"
            }
          >
            {step}
            {isYours && <span className="sr-only"> ({text.yours})</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
