import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "./button.tsx";
import { LONG_TEXT } from "./long-text-texts.ts";

/** Items added per press; more at once make the browser slow. */
const STEP = 1_000;

/** The first items of a long list, with a button that shows more. */
export function useShowMore<Item>(items: readonly Item[], first: number) {
  const [count, setCount] = useState(first);
  const left = items.length - count;
  return {
    shown: items.slice(0, count),
    button: left > 0 && <More left={left} onPress={() => setCount(count + STEP)} />,
  };
}

function More({ left, onPress }: { readonly left: number; readonly onPress: () => void }) {
  const text = useTexts(LONG_TEXT);
  return (
    <Button
      look="ghost"
      size="small"
      className="-ml-2 self-start text-violet"
      icon={<ChevronDown size={13} aria-hidden />}
      onPress={onPress}
    >
      {text.more(left)}
    </Button>
  );
}
