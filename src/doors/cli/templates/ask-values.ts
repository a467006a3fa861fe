import type { WireTemplate, WireTemplateValue } from "../../../contract/shapes/templates.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { Console } from "../terminal/console.ts";
import { TEMPLATE_TEXTS } from "./template-texts.ts";

/** The command line was wrong; the message says what to write. */
export class WrongValues extends Error {}

export function readPairs(
  pairs: readonly string[],
  locale: Locale,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new WrongValues(TEMPLATE_TEXTS[locale].notPairs(pair));
      return [pair.slice(0, at).trim(), pair.slice(at + 1)];
    }),
  );
}

type Asking = {
  readonly console: Console;
  readonly locale: Locale;
  readonly program: string;
  /** Takes every default and asks nothing. */
  readonly takesDefaults: boolean;
};

/** Asks for the values that were not given. Without a terminal, those with a default keep it. */
export async function completeValues(
  template: WireTemplate,
  given: Readonly<Record<string, string>>,
  { console, locale, program, takesDefaults }: Asking,
): Promise<Readonly<Record<string, string>>> {
  const open = template.values.filter(({ name }) => !Object.hasOwn(given, name));
  const needed = open.filter((value) => value.default === null);
  if (!console.isInteractive && needed.length > 0) {
    const names = needed.map(({ name }) => name);
    throw new WrongValues(TEMPLATE_TEXTS[locale].missing(program, template.id, names));
  }
  const asked = console.isInteractive ? (takesDefaults ? needed : open) : [];
  const said: [string, string][] = [];
  for (const value of asked) {
    const answer = await askValue(value, console, locale);
    if (answer !== undefined) said.push([value.name, answer]);
  }
  return { ...given, ...Object.fromEntries(said) };
}

/** undefined: the default. */
async function askValue(
  value: WireTemplateValue,
  console: Console,
  locale: Locale,
): Promise<string | undefined> {
  const texts = TEMPLATE_TEXTS[locale];
  const label = visibleLine(value.label[locale]);
  const usual = value.default === null ? undefined : visibleLine(value.default[locale]);
  const { choices } = value;
  if (value.help) console.print(visibleLine(value.help[locale]));
  if (choices.length > 0) console.print(`${label}:`);
  choices.forEach((words, index) => console.print(`  ${index + 1}. ${visibleLine(words[locale])}`));
  const question =
    choices.length > 0 ? texts.askChoice(choices.length, usual) : texts.askValue(label, usual);
  for (;;) {
    const said = await console.ask(question, new AbortController().signal);
    if (said === "" && usual !== undefined) return undefined;
    const chosen =
      choices[Number(said) - 1] ?? choices.find(({ ja, en }) => said === ja || said === en);
    if (chosen) return chosen[locale];
    if (said !== "" && choices.length === 0) return said;
    console.print(choices.length > 0 ? question.trim() : texts.empty);
  }
}
