import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { openOverlay } from "../ui/overlays.ts";

const GO: Readonly<Record<string, string>> = {
  d: "/",
  a: "/approvals",
  t: "/tasks",
  g: "/groups",
  h: "/history",
  r: "/roles",
};
const SEQUENCE_MS = 1_200;

/** Off while somebody types or converts a word, and while a dialog is open. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.isComposing || event.keyCode === 229) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=dialog], [role=menu], [role=listbox]") !== null
  );
}

/** The shortcuts that work on every page. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goUntil = 0;
    function onKey(event: KeyboardEvent): void {
      const key = event.key.toLowerCase();
      if (key === "k" && (event.metaKey || event.ctrlKey) && !event.isComposing) {
        event.preventDefault();
        return openOverlay({ kind: "palette" });
      }
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      const to = Date.now() < goUntil ? GO[key] : undefined;
      goUntil = key === "g" && to === undefined ? Date.now() + SEQUENCE_MS : 0;
      if (to !== undefined) return void navigate({ to });
      if (key === "?") openOverlay({ kind: "help" });
      if (key === "n") {
        event.preventDefault();
        openOverlay({ kind: "new-task" });
      }
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate]);
}
