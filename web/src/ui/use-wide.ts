import { useSyncExternalStore } from "react";

const WIDE = matchMedia("(min-width: 64rem)");

function subscribe(listener: () => void): () => void {
  WIDE.addEventListener("change", listener);
  return () => WIDE.removeEventListener("change", listener);
}

/** Whether the screen is wide. Only for different content; different layout is a matter of CSS. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => WIDE.matches);
}
