import { create } from "zustand";

const KEY = "kuromajutsu.alerts.seen.";

/** The time of the newest alert that each person has seen in this browser. */
export const useSeen = create<Readonly<Record<string, string>>>(() => ({}));

/** Alerts from before a person's first visit are not unread. */
export function beginSeen(personId: string, newest: string): void {
  if (useSeen.getState()[personId] !== undefined) return;
  const kept = remembered(personId);
  if (kept === null) keep(personId, newest);
  else useSeen.setState({ [personId]: kept });
}

export function markSeen(personId: string, newest: string): void {
  if (newest > (useSeen.getState()[personId] ?? "")) keep(personId, newest);
}

function keep(personId: string, newest: string): void {
  useSeen.setState({ [personId]: newest });
  try {
    localStorage.setItem(KEY + personId, newest);
  } catch {
    // Without storage it holds until the page is reloaded.
  }
}

function remembered(personId: string): string | null {
  try {
    return localStorage.getItem(KEY + personId);
  } catch {
    return null;
  }
}

// What was seen in one tab is seen in all.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key?.startsWith(KEY) && newValue !== null) {
    useSeen.setState({ [key.slice(KEY.length)]: newValue });
  }
});
