import { OctagonPause } from "lucide-react";
import { useTexts } from "../../../i18n/texts.ts";
import { Card } from "../../../ui/card.tsx";
import { STOP } from "./stop-texts.ts";

/** Explains what ブロックする does. */
export function BlockNote() {
  const text = useTexts(STOP);
  return (
    <Card className="p-4">
      <h2 className="mb-2 flex items-center gap-2 font-bold">
        <OctagonPause size={15} aria-hidden className="text-blocked" />
        {text.blockTitle}
      </h2>
      <ol className="list-decimal pl-5 text-text-2">
        {text.blockSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="mt-2 text-xs text-text-3">{text.blockLate}</p>
    </Card>
  );
}
