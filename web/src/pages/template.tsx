import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { WireTemplate } from "../../../src/contract/shapes/templates.ts";
import { RehearsalNote } from "../features/roles/rehearsal-note.tsx";
import { RemoveTemplate } from "../features/templates/remove-template.tsx";
import { StagePreview } from "../features/templates/stage-preview.tsx";
import { Facts, KindMark, Missing } from "../features/templates/template-card.tsx";
import { useTemplate } from "../features/templates/template-data.ts";
import { TemplateIcon } from "../features/templates/template-icon.tsx";
import { TemplateTexts } from "../features/templates/template-text.tsx";
import { TEXTS } from "../features/templates/texts.ts";
import { UsePanel } from "../features/templates/use-panel.tsx";
import type { Values } from "../features/templates/value-fields.tsx";
import { type Locale, useLocale } from "../i18n/locale.ts";
import { useTexts } from "../i18n/texts.ts";
import { visible } from "../text/visible.ts";
import { Loading } from "../ui/notes.tsx";
import { PageError } from "../ui/page-error.tsx";
import { Segments } from "../ui/segments.tsx";

export function Page() {
  const { templateId = "" } = useParams({ strict: false });
  const { data, error, isError, refetch } = useTemplate(templateId);
  if (data) return <TemplatePage key={templateId} template={data} />;
  return isError ? <PageError error={error} reset={() => void refetch()} /> : <Loading />;
}

function TemplatePage({ template }: { readonly template: WireTemplate }) {
  const text = useTexts(TEXTS);
  const own = useLocale((state) => state.locale);
  const [asked, setAsked] = useState<Locale | null>(null);
  const [values, setValues] = useState<Values>({});
  const locale = asked ?? own;
  const help = template.missing.servers.length > 0 ? template.needsHelp?.[own] : undefined;
  return (
    <>
      <RehearsalNote />
      <p className="flex items-center gap-1.5 text-xs text-text-3">
        <Link to="/templates" className="text-text-2 hover:text-text hover:underline">
          {text.breadcrumb}
        </Link>
        <span aria-hidden>／</span>
        <span className="font-mono break-all">{template.id}</span>
      </p>
      <h1 className="flex flex-wrap items-center gap-2.5 text-xl leading-8 font-bold">
        <span className="text-violet">
          <TemplateIcon icon={template.icon} />
        </span>
        {visible(template.name[own])}
        <KindMark template={template} />
      </h1>
      <p className="mb-3 max-w-4xl text-pretty text-text-2">{visible(template.description[own])}</p>
      <div className="mb-4 flex flex-col gap-2">
        <StagePreview template={template} />
        <Missing template={template} />
        {help !== undefined && <p className="text-text-2">{visible(help)}</p>}
      </div>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(320px,400px)]">
        <div className="order-2 flex min-w-0 flex-col gap-3 lg:order-1 lg:self-start">
          <TemplateTexts template={template} locale={locale} values={values} />
          <Facts template={template} />
          <p className="text-xs text-text-3">
            {template.source === "saved" ? text.inDatabase : <FilePath path={template.path} />}
          </p>
          <RemoveTemplate template={template} />
        </div>
        <div className="order-1 flex min-w-0 flex-col gap-3 lg:order-2">
          {template.languages.length > 1 && (
            <Segments
              label={text.language}
              value={locale}
              onChange={(next) => {
                setAsked(next);
                setValues({});
              }}
              options={[
                { id: "ja", label: text.languages.ja },
                { id: "en", label: text.languages.en },
              ]}
            />
          )}
          <UsePanel template={template} locale={locale} values={values} onValues={setValues} />
        </div>
      </div>
    </>
  );
}

function FilePath({ path }: { readonly path: string }) {
  const text = useTexts(TEXTS);
  return (
    <>
      {text.file}: <span className="font-mono break-all">{visible(path)}</span>
    </>
  );
}
