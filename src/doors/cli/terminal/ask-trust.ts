import type { FileTrust } from "../../../contract/shapes/trust.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import { askYesNo } from "./ask-yes-no.ts";
import type { Console } from "./console.ts";
import { TRUST_TEXTS, type TrustTexts } from "./trust-texts.ts";

/** Settings that protected people when the file was last trusted, and may protect them less now. */
export type Weakened = "people" | "rules" | "restrictions";

export type AskTrust = {
  readonly trust: FileTrust;
  readonly locale: Locale;
  readonly weakened: readonly Weakened[];
  /** `--yes`: the answer was given on the command line. */
  readonly yes: boolean;
};

/** Shows what the file would run and allow, and asks whether to trust it. */
export async function askTrust(
  console: Console,
  { trust, locale, weakened, yes }: AskTrust,
): Promise<boolean> {
  const texts = TRUST_TEXTS[locale];
  console.print(describeTrust(trust, texts));
  for (const what of weakened) console.print(`! ${texts.weakened[what]}`);
  console.print(texts.warning);
  if (yes) return true;
  if (!console.isInteractive) {
    console.print(texts.noTerminal(trust.command));
    return false;
  }
  const isYes = await askYesNo(console, texts.question, locale);
  if (!isYes) console.print(texts.notTrusted(trust.command));
  return isYes;
}

function describeTrust({ path, powers, rules }: FileTrust, texts: TrustTexts): string {
  const items = powers.map(({ kind, name, lines, isTrusted }) =>
    [
      `  ${isTrusted ? " " : "+"} ${texts.kind[kind]}: ${visibleLine(name)} (${isTrusted ? texts.isTrusted : texts.isNew})`,
      ...lines.map((line) => `        ${line}`),
    ].join("\n"),
  );
  const agreed = rules.map((rule) => `        ${rule}`);
  return [texts.intro(visibleLine(path)), "", ...items, "", texts.rules, ...agreed, ""].join("\n");
}
