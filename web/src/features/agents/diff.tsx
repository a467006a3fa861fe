import { useMemo, useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { TEXTS } from "./texts.ts";

const FIRST_LINES = 200;

export function Diff({ text }: { readonly text: string }) {
  const words = useTexts(TEXTS);
  const lines = useMemo(() => text.split("\n"), [text]);
  const [most, setMost] = useState(FIRST_LINES);
  return (
    <div className="min-w-0">
      <pre
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-line bg-base py-1.5 font-mono text-xs leading-5"
      >
        {lines.slice(0, most).map((line, index) => (
          <div key={index} className={cx("min-w-fit px-2.5", toneOf(line))}>
            {line || " "}
          </div>
        ))}
      </pre>
      {lines.length > most && (
        <Button size="small" className="mt-1" onPress={() => setMost(most * 5)}>
          {words.showMore} ({lines.length - most})
        </Button>
      )}
    </div>
  );
}

function toneOf(line: string): string {
  if (line.startsWith("@@")) return "text-violet";
  if (line.startsWith("+++") || line.startsWith("---")) return "text-text-3";
  if (line.startsWith("+")) return "bg-success/10 text-success";
  if (line.startsWith("-")) return "bg-failed/10 text-failed";
  return "text-text-2";
}
