import { Search, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button, Input, SearchField } from "react-aria-components";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { isTyping } from "./is-typing.ts";

export type SearchBoxProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const WAIT_MS = 250;

/** Debounced, and never during IME composition. `/` moves the focus here. */
export function SearchBox({ label, placeholder, value, onChange }: SearchBoxProps) {
  const text = useTexts(COMMON);
  const [typed, setTyped] = useState(value);
  const [isComposing, setComposing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const change = useEffectEvent(onChange);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (isComposing || typed === value) return;
    const timer = setTimeout(() => change(typed), WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed, value, isComposing]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <SearchField
      aria-label={label}
      value={typed}
      onChange={setTyped}
      className="group control flex w-full items-center gap-2 rounded-lg border border-field bg-input px-3 focus-within:border-violet sm:w-80"
    >
      <Search size={14} aria-hidden className="shrink-0 text-text-3" />
      <Input
        ref={input}
        placeholder={placeholder ?? label}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
        className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-text-3 [&::-webkit-search-cancel-button]:hidden"
      />
      <Button
        aria-label={text.close}
        className="shrink-0 rounded p-0.5 text-text-3 group-data-[empty]:invisible hover:text-text"
      >
        <X size={14} aria-hidden />
      </Button>
    </SearchField>
  );
}
