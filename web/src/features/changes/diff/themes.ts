import type { ThemeRegistrationAny } from "shiki";

type Theme = { readonly load: () => Promise<{ readonly default: ThemeRegistrationAny }> };

export const DARK = "github-dark-high-contrast";
export const LIGHT = "github-light-high-contrast";

const THEMES: Readonly<Record<string, Theme>> = {
  [DARK]: { load: () => import("shiki/themes/github-dark-high-contrast.mjs") },
  [LIGHT]: { load: () => import("shiki/themes/github-light-high-contrast.mjs") },
};

/** In the place of `@pierre/theming/themes`, which has all themes of shiki (web/vite.config.ts). */
export const themes = { getTheme: (name: string): Theme | undefined => THEMES[name] };
