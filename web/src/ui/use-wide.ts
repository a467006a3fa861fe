import { useSyncExternalStore } from "react";

const WIDE = matchMedia("(min-width: 64rem)");

function subscribe(listener: () => void): () => void {
  WIDE.addEventListener("change", listener);
  return () => WIDE.removeEventListener("change", listener);
}

/** A desk, not a phone: where what is shown differs, not only how (that is CSS). */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => WIDE.matches);
}
