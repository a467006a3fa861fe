import type { Core } from "../core.ts";
import type { TemplateProblem } from "../ports/template-files.ts";
import { type TemplateView, viewTemplate } from "./view-template.ts";

export type TemplatesListed = {
  readonly templates: readonly TemplateView[];
  readonly problems: readonly TemplateProblem[];
};

export async function listTemplates(core: Core): Promise<TemplatesListed> {
  const { templates, problems } = await core.templates.list();
  return { templates: templates.map((found) => viewTemplate(core, found)), problems };
}
