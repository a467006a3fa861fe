import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import type { WireTemplateSummary } from "../../../../src/contract/shapes/templates.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible } from "../../text/visible.ts";
import { StagePreview } from "./stage-preview.tsx";
import { TemplateIcon } from "./template-icon.tsx";
import { TEXTS } from "./texts.ts";

export function TemplateCard({ template }: { readonly template: WireTemplateSummary }) {
  const locale = useLocale((state) => state.locale);
  return (
    <article className="relative flex min-w-0 flex-col gap-2 rounded-xl border border-line bg-surface p-4 focus-within:border-violet hover:border-field">
      <div className="flex items-start gap-3">
        <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-raised text-violet">
          <TemplateIcon icon={template.icon} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-[15px] leading-6 font-bold">
            <Link
              to="/templates/$templateId"
              params={{ templateId: template.id }}
              className="outline-none after:absolute after:inset-0"
            >
              {visible(template.name[locale])}
            </Link>
          </h2>
          <p className="font-mono text-xs break-all text-text-3">{template.id}</p>
        </div>
        <KindMark template={template} />
      </div>
      <p className="line-clamp-3 text-text-2">{visible(template.description[locale])}</p>
      <StagePreview template={template} />
      <Missing template={template} />
      <Facts template={template} />
    </article>
  );
}

export function KindMark({ template }: { readonly template: WireTemplateSummary }) {
  const text = useTexts(TEXTS);
  return (
    <span className="shrink-0 rounded-full border border-line bg-raised px-2 py-0.5 text-xs font-semibold whitespace-nowrap text-text-2">
      {text.kinds[template.kind]}
    </span>
  );
}

/** What the template needs and this configuration does not have. */
export function Missing({ template }: { readonly template: WireTemplateSummary }) {
  const text = useTexts(TEXTS);
  const { servers, roles } = template.missing;
  const notes = [
    ...(servers.length > 0 ? [text.needsServers(servers.join(", "))] : []),
    ...(roles.length > 0 ? [text.needsRoles(roles.join(", "))] : []),
    ...(template.isTrusted ? [] : [text.untrusted]),
  ];
  return notes.map((note) => (
    <p
      key={note}
      className="flex items-start gap-2 rounded-lg border border-timeout/30 bg-timeout/10 px-2.5 py-1.5 text-xs text-timeout"
    >
      <TriangleAlert size={13} aria-hidden className="mt-0.5 shrink-0" />
      {note}
    </p>
  ));
}

export function Facts({ template }: { readonly template: WireTemplateSummary }) {
  const text = useTexts(TEXTS);
  const { languages, mode, source } = template;
  return (
    <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-1 text-xs text-text-3">
      {mode && <span>{text.modes[mode]}</span>}
      <span>{languages.map((each) => text.languages[each]).join(" · ")}</span>
      <span className="ml-auto">{text.sources[source]}</span>
    </p>
  );
}
