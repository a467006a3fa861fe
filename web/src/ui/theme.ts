import { useSyncExternalStore } from "react";
import { create } from "zustand";

export const THEMES = ["system", "light", "dark"] as const;
export type ThemeChoice = (typeof THEMES)[number];
export type Theme = "light" | "dark";

/** public/theme.js reads the same key. */
const KEY = "kuromajutsu.theme";
/** The colour of the browser's own bars. */
const BAR: Record<Theme, string> = { light: "#f5f3f9", dark: "#0b0a10" };

function remembered(): ThemeChoice {
  try {
    return THEMES.find((known) => known === localStorage.getItem(KEY)) ?? "system";
  } catch {
    return "system";
  }
}

/** What the person chose; the system decides by default. Stored in this browser. */
export const useThemeChoice = create<{ readonly choice: ThemeChoice }>(() => ({
  choice: remembered(),
}));

export function setTheme(choice: ThemeChoice): void {
  try {
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Without storage the choice holds until the page is reloaded.
  }
  useThemeChoice.setState({ choice });
  applyTheme();
}

/** Sets what the stylesheet and the browser read. The stylesheet follows the system by itself. */
export function applyTheme(): void {
  const { choice } = useThemeChoice.getState();
  const root = document.documentElement;
  if (choice === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = choice;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes("dark") ? "dark" : "light";
    meta.content = BAR[choice === "system" ? own : choice];
  }
}

/** Another tab of this browser chose a theme. */
export function followOtherTabs(): void {
  addEventListener("storage", ({ key }) => {
    if (key !== KEY && key !== null) return;
    useThemeChoice.setState({ choice: remembered() });
    applyTheme();
  });
}

const prefersLight = matchMedia("(prefers-color-scheme: light)");

function subscribe(onChange: () => void): () => void {
  prefersLight.addEventListener("change", onChange);
  return () => prefersLight.removeEventListener("change", onChange);
}

/** The theme in use, for what does not take its colours from the stylesheet. */
export function useTheme(): Theme {
  const choice = useThemeChoice((state) => state.choice);
  const system = useSyncExternalStore(subscribe, () => (prefersLight.matches ? "light" : "dark"));
  return choice === "system" ? system : choice;
}

/** A colour of the stylesheet as a canvas takes it: resolved for the theme in use. */
export function onCanvas(colour: string): string {
  const probe = document.createElement("span");
  probe.style.color = colour;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
