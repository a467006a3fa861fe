import type { Locale } from "../../../domain/locale.ts";
import type { Style } from "../screen/style.ts";
import { displayWidth, padLabel } from "../serve/display-width.ts";
import { DEMO_TEXTS } from "./demo-texts.ts";

export type DemoBanner = { readonly url: string; readonly command: string };

export function renderDemoBanner(
  { url, command }: DemoBanner,
  locale: Locale,
  style: Style,
): string {
  const texts = DEMO_TEXTS[locale];
  const rows = [
    [texts.dashboard, style.cyan(style.bold(style.link(url, url)))],
    [texts.end, texts.endKeys],
    [texts.real, style.bold(command)],
  ] as const;
  const width = Math.max(...rows.map(([label]) => displayWidth(label)));
  const lines = [
    `${style.magenta(style.bold("黒魔術 Kuromajutsu"))} ${style.yellow(texts.title)}`,
    "",
    ...rows.map(([label, value]) => `${style.dim(padLabel(label, width))}  ${value}`),
    "",
    `${style.yellow("●")} ${texts.isDemo}`,
    `  ${texts.leavesNothing}`,
  ];
  return `\n${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n\n`;
}
