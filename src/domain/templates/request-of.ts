import type { Locale } from "../locale.ts";
import { Refusal } from "../refusal.ts";
import { nearest } from "../text/nearest.ts";
import { fillPlaceholders } from "./placeholders.ts";
import type { TaskTemplate, Template, TemplateValue, Words } from "./template.ts";

export type GivenValues = Readonly<Record<string, string>>;

export const MAX_VALUE_CHARS = 10_000;
/** The longest request of a task. */
const MAX_REQUEST_CHARS = 20_000;

/** The request of the task that a person starts with these values. Refuses with every problem. */
export function requestOf(template: TaskTemplate, given: GivenValues, locale: Locale): string {
  const request = fillerFor(template, given, locale)(template.request).trim();
  const whole = [request, ...hintsOf(template, locale)].join("\n\n");
  return whole.length <= MAX_REQUEST_CHARS ? whole : request;
}

/** Fills in the texts of a template. Refuses with every problem of the values. */
export function fillerFor(
  template: Pick<Template, "id" | "values">,
  given: GivenValues,
  locale: Locale,
): (words: Words) => string {
  const values = valuesFor(template, given, locale);
  return (words) => fillPlaceholders(words[locale], values);
}

/** The values that have no default and were not given. */
export function missingValues(
  { values }: Pick<Template, "values">,
  given: GivenValues,
): readonly TemplateValue[] {
  return values.filter(
    ({ name, default: usual }) => usual === null && givenValue(given, name) === undefined,
  );
}

function valuesFor(
  { id, values }: Pick<Template, "id" | "values">,
  given: GivenValues,
  locale: Locale,
): ReadonlyMap<string, string> {
  const names = values.map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const problems = [
    ...unknown.map((name) => unknownName(name, names)),
    ...missingValues({ values }, given).map(({ name }) => ({
      en: `${name} is missing.`,
      ja: `${name} がありません。`,
    })),
    ...values.flatMap((value) => problemWith(value, givenValue(given, value.name), locale)),
  ];
  if (problems.length > 0) {
    throw new Refusal("INVALID_ARGUMENTS", {
      en: [
        `The template ${id} cannot be filled in. ${problems.map(({ en }) => en).join(" ")}`,
        names.length === 0
          ? "This template takes no values: leave them out."
          : `Its values are: ${names.join(", ")}.`,
      ],
      ja: [
        `テンプレート ${id} に値を入れられません。${problems.map(({ ja }) => ja).join("")}`,
        names.length === 0
          ? "このテンプレートに値はありません。省いてください。"
          : `値の名前: ${names.join(", ")}。`,
      ],
    });
  }
  return new Map(
    values.map(({ name, choices, default: usual }) => {
      const said = givenValue(given, name);
      const chosen = choices.find(({ ja, en }) => said === ja || said === en);
      return [name, chosen?.[locale] ?? said ?? usual?.[locale] ?? ""];
    }),
  );
}

/** An empty field of a form counts as not given. */
function givenValue(given: GivenValues, name: string): string | undefined {
  const said = Object.hasOwn(given, name) ? given[name] : undefined;
  return said === undefined || said.trim() === "" ? undefined : said.trim();
}

function unknownName(name: string, known: readonly string[]): Words {
  const near = nearest(name, known);
  return near === undefined
    ? { en: `There is no value "${name}".`, ja: `値「${name}」はありません。` }
    : {
        en: `There is no value "${name}"; did you mean "${near}"?`,
        ja: `値「${name}」はありません。もしかして「${near}」ですか。`,
      };
}

function problemWith(
  { name, choices }: TemplateValue,
  said: string | undefined,
  locale: Locale,
): readonly Words[] {
  if (said === undefined) return [];
  if (said.length > MAX_VALUE_CHARS) {
    return [
      {
        en: `${name} has ${said.length} characters; the maximum is ${MAX_VALUE_CHARS}.`,
        ja: `${name} が ${said.length} 文字あります。上限は ${MAX_VALUE_CHARS} 文字です。`,
      },
    ];
  }
  const isKnown = choices.length === 0 || choices.some(({ ja, en }) => said === ja || said === en);
  return isKnown
    ? []
    : [
        {
          en: `${name} must be one of: ${choices.map((words) => words[locale]).join(", ")}.`,
          ja: `${name} は次のどれかにしてください: ${choices.map((words) => words[locale]).join("、")}。`,
        },
      ];
}

const HINT_TEXTS = {
  ja: {
    head: "以前は次のように行いました。参考であり、このとおりでなくてかまいません。",
    prompt: "実行方針:",
    steps: "ステップ:",
  },
  en: {
    head: "This is how it was done before. It is a hint; the plan may differ.",
    prompt: "Prompt:",
    steps: "Steps:",
  },
} as const;

function hintsOf({ hints }: TaskTemplate, locale: Locale): readonly string[] {
  const texts = HINT_TEXTS[locale];
  const steps = hints.steps.map((words, index) => `${index + 1}. ${words[locale]}`);
  const parts = [
    ...(hints.prompt ? [`${texts.prompt}\n${hints.prompt[locale]}`] : []),
    ...(steps.length > 0 ? [[texts.steps, ...steps].join("\n")] : []),
  ];
  return parts.length === 0 ? [] : [texts.head, ...parts];
}
