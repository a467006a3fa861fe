import { lazy, Suspense, useMemo } from "react";
import { visible } from "../text/visible.ts";
import { LongText } from "./long-text.tsx";

const Body = lazy(async () => ({ default: (await import("./markdown-body.tsx")).MarkdownBody }));

/** Parsing longer texts would freeze the page. */
const MAX_CHARS = 60_000;

export type MarkdownProps = { readonly text: string };

/** Markdown written by agents, without HTML and remote images. */
export function Markdown({ text }: MarkdownProps) {
  const shown = useMemo(() => visible(text.slice(0, MAX_CHARS + 1)), [text]);
  if (text.length > MAX_CHARS) return <LongText text={text} full />;
  return (
    <Suspense fallback={<LongText text={text} full />}>
      <Body text={shown} />
    </Suspense>
  );
}
