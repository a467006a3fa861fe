import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "./button.tsx";
import { LONG_TEXT } from "./long-text-texts.ts";

/** What one press of the button adds; more at once makes a browser stutter. */
const STEP = 1_000;

/** The first of many items, and a button that says how many are left and shows them. */
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
