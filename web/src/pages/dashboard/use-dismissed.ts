import { useState } from "react";

const KEY = "kuromajutsu.first-steps";
const CLOSED = "closed";

/** Whether this browser has closed the first steps. */
export function useDismissed(): readonly [boolean, (isDismissed: boolean) => void] {
  const [isDismissed, setDismissed] = useState(isClosed);
  return [
    isDismissed,
    (value) => {
      setDismissed(value);
      remember(value);
    },
  ];
}

/** A browser may forbid storage; then the list is open at every visit. */
function isClosed(): boolean {
  try {
    return localStorage.getItem(KEY) === CLOSED;
  } catch {
    return false;
  }
}

function remember(isDismissed: boolean): void {
  try {
    if (isDismissed) localStorage.setItem(KEY, CLOSED);
    else localStorage.removeItem(KEY);
  } catch {
    // It is open again at the next visit.
  }
}
