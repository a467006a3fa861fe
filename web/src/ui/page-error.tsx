import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { get } from "../api/http.ts";
import { Offline } from "../api/send.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { useLive } from "../live/store.ts";
import { ErrorNote } from "./notes.tsx";
import { PageHead } from "./page-head.tsx";

/** Error boundary of a page; the frame around it keeps working. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const text = useTexts(COMMON);
  const isLive = useLive(({ connection }) => connection.status === "live");
  const [wasLost] = useState(!isLive);
  const isBack = error instanceof Offline && wasLost && isLive;
  // Browsers do not retry a failed module import, so reload the page.
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

/** Reload only if the daemon responds; otherwise the browser would show its own error page. */
async function startAnew(): Promise<void> {
  await get("/api/health").then(
    () => location.reload(),
    () => undefined,
  );
}
