import { useEffect } from "react";
import { useCounts } from "./use-counts.ts";

/** How many approvals wait stands in the title, so that a tab in the background shows it. */
export function useAttention(): void {
  const { approvals } = useCounts();
  useEffect(() => {
    document.title = approvals > 0 ? `(${approvals}) 黒魔術` : "黒魔術";
  }, [approvals]);
}
