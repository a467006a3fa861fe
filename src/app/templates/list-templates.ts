import { TEMPLATE_KINDS } from "../../domain/templates/template.ts";
import type { Core } from "../core.ts";
import type { TemplateProblem } from "../ports/template-files.ts";
import { type TemplateView, viewTemplate } from "./view-template.ts";

export type TemplatesListed = {
  readonly templates: readonly TemplateView[];
  readonly problems: readonly TemplateProblem[];
};

/** Tasks first, then groups and roles; among them those that lack something last. */
export async function listTemplates(core: Core): Promise<TemplatesListed> {
  const { templates, problems } = await core.templates.list();
  const views = templates.map((found) => viewTemplate(core, found));
  return { templates: views.toSorted((one, other) => rankOf(one) - rankOf(other)), problems };
}

function rankOf({ template, missing }: TemplateView): number {
  const lacks = missing.servers.length + missing.roles.length > 0 ? 1 : 0;
  return TEMPLATE_KINDS.indexOf(template.kind) * 2 + lacks;
}
