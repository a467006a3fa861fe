import type { WireTemplate } from "../../../../src/contract/shapes/templates.ts";
import { partsOf } from "../../../../src/contract/values.ts";
import type { Locale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible } from "../../text/visible.ts";
import { TEXTS } from "./texts.ts";

type Text = WireTemplate["texts"][number];

export type TemplateTextsProps = {
  readonly template: WireTemplate;
  readonly locale: Locale;
  readonly values: Readonly<Record<string, string>>;
};

/** What agents get, with the values of the form in their places. */
export function TemplateTexts({ template, locale, values }: TemplateTextsProps) {
  const text = useTexts(TEXTS);
  return (
    <section aria-label={text.texts} className="flex min-w-0 flex-col gap-3">
      <h2 className="text-[15px] font-bold">{text.texts}</h2>
      {template.texts.map((each, index) => (
        <div key={index} className="min-w-0 rounded-xl border border-line bg-surface p-4">
          <h3 className="mb-1.5 flex flex-wrap gap-x-2 text-xs font-semibold text-text-2">
            <Label label={each.label} />
            {each.role && <span className="font-mono font-normal text-text-3">{each.role}</span>}
          </h3>
          <p dir="auto" className="break-words whitespace-pre-wrap">
            <Filled {...{ each, template, locale, values }} />
          </p>
        </div>
      ))}
    </section>
  );
}

function Label({ label }: Pick<Text, "label">) {
  const { labels } = useTexts(TEXTS);
  const stage = /^stages\[(\d+)\]$/.exec(label)?.[1];
  if (stage !== undefined) return labels.stage(Number(stage) + 1);
  if (label.startsWith("hints.")) return labels.hint;
  switch (label) {
    case "request":
    case "task":
    case "completionCriteria":
    case "scope":
    case "constraints":
    case "context":
    case "systemPrompt":
    case "agents":
      return labels[label];
    default:
      return label;
  }
}

function Filled({ each, template, locale, values }: TemplateTextsProps & { readonly each: Text }) {
  const words = each.text[locale].trimEnd();
  if (each.label.startsWith("hints.")) return visible(words);
  return partsOf(words).map((part, index) => {
    if ("text" in part) return visible(part.text);
    const value = template.values.find(({ name }) => name === part.name);
    const said = values[part.name]?.trim() || value?.default?.[locale] || "";
    const isOptional = value?.default?.[locale] === "";
    if (said === "" && isOptional) return null;
    return (
      <strong key={index} className="font-semibold text-violet">
        {said === "" ? `〈${value?.label[locale] ?? part.name}〉` : visible(said)}
      </strong>
    );
  });
}
