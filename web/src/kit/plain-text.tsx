import { useState } from "react";
import { useFormat } from "../i18n/format.ts";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { cx } from "../lib/cx.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";

const TEXTS = defineTexts({
  ja: {
    more: "さらに表示",
    rest: (shown: string, all: string) => `${all} 文字のうち ${shown} 文字を表示`,
    copyAll: "全文をコピー",
  },
  en: {
    more: "Show more",
    rest: (shown, all) => `${shown} of ${all} characters shown`,
    copyAll: "Copy all",
  },
});

export type PlainTextProps = {
  readonly text: string;
  readonly mono?: boolean;
  /** How much at first, and how much more with each press. */
  readonly step?: number;
  readonly className?: string;
};

/** Text as it is; of a very long one as much as was asked for. */
export function PlainText({ text, mono = false, step = 20_000, className }: PlainTextProps) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const [most, setMost] = useState(step);
  return (
    <div className={className}>
      <div
        className={cx("break-words whitespace-pre-wrap", mono && "font-mono text-xs")}
        dir="auto"
      >
        {text.length > most ? text.slice(0, most) : text}
      </div>
      {text.length > most && (
        <div className="mt-2 flex flex-wrap items-center gap-2 text-xs text-text-3">
          {words.rest(format.number(most), format.number(text.length))}
          <Button size="small" onPress={() => setMost(most + step * 5)}>
            {words.more}
          </Button>
          <CopyButton text={text}>{words.copyAll}</CopyButton>
        </div>
      )}
    </div>
  );
}
