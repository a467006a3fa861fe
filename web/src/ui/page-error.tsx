import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { get } from "../api/http.ts";
import { Offline } from "../api/send.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { useLive } from "../live/store.ts";
import { ErrorNote } from "./notes.tsx";
import { PageHead } from "./page-head.tsx";

/** One broken page is not a broken dashboard. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const text = useTexts(COMMON);
  const isLive = useLive(({ connection }) => connection.status === "live");
  const [wasLost] = useState(!isLive);
  const isBack = error instanceof Offline && wasLost && isLive;
  // A file that could not be fetched is not asked for again by the browser; a new start is.
  useEffect(() => {
    if (isBack) location.reload();
  }, [isBack]);
  return (
    <>
      <PageHead title={text.failedToLoad} />
      <ErrorNote
        error={error}
        onRetry={error instanceof Offline ? () => void startAnew() : reset}
      />
    </>
  );
}

/** Only when somebody answers: else the browser's own error page would take the place of ours. */
async function startAnew(): Promise<void> {
  await get("/api/health").then(
    () => location.reload(),
    () => undefined,
  );
}
