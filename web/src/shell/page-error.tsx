import type { ErrorComponentProps } from "@tanstack/react-router";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { ErrorNote } from "../kit/notes.tsx";
import { PageHead } from "../kit/page-head.tsx";

/** One broken page is not a broken dashboard. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const text = useTexts(COMMON);
  return (
    <>
      <PageHead title={text.failedToLoad} />
      <ErrorNote error={error} onRetry={reset} />
    </>
  );
}
