import type { WireTemplate, WireTemplateValue } from "../../../../src/contract/shapes/templates.ts";
import type { Locale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { TEXTS } from "./texts.ts";

export type Values = Readonly<Record<string, string>>;

export type ValueFieldsProps = {
  readonly template: WireTemplate;
  readonly locale: Locale;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

export function ValueFields({ template, locale, values, onChange }: ValueFieldsProps) {
  const text = useTexts(TEXTS);
  if (template.values.length === 0) return <p className="text-text-3">{text.noValues}</p>;
  return template.values.map((value) => (
    <ValueField
      key={value.name}
      value={value}
      locale={locale}
      said={values[value.name] ?? ""}
      onChange={(said) => onChange({ ...values, [value.name]: said })}
    />
  ));
}

function ValueField(props: {
  readonly value: WireTemplateValue;
  readonly locale: Locale;
  readonly said: string;
  readonly onChange: (said: string) => void;
}) {
  const { value, locale, said, onChange } = props;
  const usual = value.default?.[locale] ?? "";
  const label = value.label[locale];
  if (value.choices.length > 0) {
    return (
      <Select
        label={label}
        value={said || usual}
        onChange={onChange}
        options={value.choices.map((choice) => ({ id: choice[locale], label: choice[locale] }))}
      />
    );
  }
  return (
    <Field
      label={label}
      value={said}
      onChange={onChange}
      placeholder={usual}
      rows={value.isLong ? 4 : 1}
      isRequired={value.default === null}
      {...(value.help && { help: value.help[locale] })}
    />
  );
}

/** Whether every value without a default is filled in. */
export function isComplete(template: WireTemplate, values: Values): boolean {
  return template.values.every(
    ({ name, default: usual }) => usual !== null || (values[name] ?? "").trim() !== "",
  );
}
