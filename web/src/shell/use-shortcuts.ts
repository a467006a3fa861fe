import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useMayOperate } from "../api/use-me.ts";
import { isTyping } from "../ui/is-typing.ts";
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

/** The shortcuts that work on every page. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const mayOperate = useMayOperate();
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
      if (key === "n" && mayOperate) {
        event.preventDefault();
        openOverlay({ kind: "new-task" });
      }
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate, mayOperate]);
}
