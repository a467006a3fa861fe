import type { WireTemplate } from "../../../../src/contract/shapes/templates.ts";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Field } from "../../ui/field.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Select } from "../../ui/select.tsx";
import { useTemplate, useTemplates } from "../templates/template-data.ts";
import { isComplete, ValueFields } from "../templates/value-fields.tsx";
import type { SetValues, Values } from "./schedule-draft.ts";
import { TEXTS } from "./texts.ts";

export type WhatFieldsProps = {
  readonly values: Values;
  readonly set: SetValues;
  readonly onSubmit: () => void;
};

/** What the schedule requests: a text, or a template with its values. */
export function WhatFields({ values, set, onSubmit }: WhatFieldsProps) {
  const text = useTexts(TEXTS);
  return (
    <div className="flex flex-col gap-3">
      <Segments
        label={text.form.source}
        value={values.source}
        options={[
          { id: "text", label: text.form.sources.text },
          { id: "template", label: text.form.sources.template },
        ]}
        onChange={(source) => set({ source })}
      />
      {values.source === "text" ? (
        <Field
          label={text.form.what}
          value={values.text}
          onChange={(value) => set({ text: value })}
          rows={4}
          placeholder={text.form.placeholder}
          onSubmit={onSubmit}
          autoFocus
        />
      ) : (
        <TemplateFields values={values} set={set} />
      )}
    </div>
  );
}

function TemplateFields({ values, set }: Pick<WhatFieldsProps, "values" | "set">) {
  const text = useTexts(TEXTS);
  const locale = useLocale((state) => state.locale);
  const list = useTemplates();
  const tasks = list.data?.templates.filter(({ kind }) => kind === "task") ?? [];
  const { templateId } = values;
  const isGone = list.isSuccess && templateId !== "" && !tasks.some(({ id }) => id === templateId);
  if (list.isPending) return <Loading />;
  if (list.isError) return <ErrorNote error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <>
      <Select
        label={text.form.template}
        value={isGone ? "" : templateId}
        placeholder={text.form.chooseTemplate}
        options={tasks.map(({ id, name }) => ({ id, label: visiblePreview(name[locale]) }))}
        onChange={(id) => set({ templateId: id, templateValues: {} })}
      />
      {isGone && (
        <p role="alert" className="text-xs text-failed">
          {text.form.templateGone(templateId)}
        </p>
      )}
      {!isGone && templateId !== "" && <ChosenTemplate values={values} set={set} />}
      <p className="text-xs text-text-3">{text.form.templateHelp}</p>
    </>
  );
}

function ChosenTemplate({ values, set }: Pick<WhatFieldsProps, "values" | "set">) {
  const text = useTexts(TEXTS);
  const locale = useLocale((state) => state.locale);
  const { data: template, error, isError } = useTemplate(values.templateId);
  if (isError) return <ErrorNote error={error} />;
  if (!template) return <Loading />;
  const { servers } = template.missing;
  return (
    <>
      <ValueFields
        template={template}
        locale={locale}
        values={values.templateValues}
        onChange={(templateValues) => set({ templateValues })}
      />
      {!template.isTrusted && <p className="text-xs text-timeout">{text.form.untrusted}</p>}
      {servers.length > 0 && (
        <p className="text-xs text-timeout">{text.form.needsServers(servers.join(", "))}</p>
      )}
    </>
  );
}

/** Whether there is a text, or a usable template with all its values. */
export function useIsWhatReady({ source, text, templateId, templateValues }: Values): boolean {
  const list = useTemplates().data?.templates ?? [];
  // A template that is gone is not asked for.
  const isThere = list.some(({ id }) => id === templateId);
  const { data } = useTemplate(source === "template" && isThere ? templateId : "");
  if (source === "text") return text.trim() !== "";
  return data !== undefined && isUsable(data) && isComplete(data, templateValues);
}

function isUsable({ kind, isTrusted, missing }: WireTemplate): boolean {
  return kind === "task" && isTrusted && missing.servers.length === 0;
}
