import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorNote } from "../kit/notes.tsx";

/** One broken page is not a broken dashboard. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return <ErrorNote error={error} onRetry={reset} />;
}
