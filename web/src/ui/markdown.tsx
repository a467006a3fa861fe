import { lazy, Suspense, useMemo } from "react";
import { visible } from "../text/visible.ts";
import { LongText } from "./long-text.tsx";

const Body = lazy(async () => ({ default: (await import("./markdown-body.tsx")).MarkdownBody }));

/** A longer text would freeze the page while it is read. */
const MOST_CHARS = 60_000;

export type MarkdownProps = { readonly text: string };

/** What agents wrote, as Markdown: no HTML of theirs, no pictures from elsewhere. */
export function Markdown({ text }: MarkdownProps) {
  const shown = useMemo(() => visible(text.slice(0, MOST_CHARS + 1)), [text]);
  if (text.length > MOST_CHARS) return <LongText text={text} full />;
  return (
    <Suspense fallback={<LongText text={text} full />}>
      <Body text={shown} />
    </Suspense>
  );
}
