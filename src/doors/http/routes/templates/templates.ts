import type { z } from "zod";
import { localeOf } from "../../../../app/locale-of.ts";
import { listTemplates } from "../../../../app/templates/list-templates.ts";
import { removeTemplate } from "../../../../app/templates/remove-template.ts";
import { requireTemplate } from "../../../../app/templates/require-template.ts";
import { saveTemplate } from "../../../../app/templates/save-template.ts";
import { type TemplateUsed, useTemplate } from "../../../../app/templates/use-template.ts";
import { type TemplateView, viewTemplate } from "../../../../app/templates/view-template.ts";
import * as contract from "../../../../contract/routes/templates.ts";
import { wireGroup } from "../../../../contract/shapes/groups.ts";
import { wireTask } from "../../../../contract/shapes/tasks.ts";
import type {
  templateUsedShape,
  WireTemplate,
  WireTemplateSummary,
} from "../../../../contract/shapes/templates.ts";
import { readableTexts } from "../../../../domain/templates/template.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const list = defineRoute(contract.listTemplates, {
  async run(core, _input, identity) {
    const { templates, problems } = await listTemplates(core);
    const locale = localeOf(core, identity);
    return {
      templates: templates.map(wireSummary),
      problems: problems.map((problem) => ({ ...problem, text: problem.text[locale] })),
      folder: core.templates.folder,
    };
  },
});

const get = defineRoute(contract.getTemplate, {
  run: async (core, { params }) =>
    wireTemplate(viewTemplate(core, await requireTemplate(core, params.id))),
});

const use = defineRoute(contract.useTemplate, {
  async run(core, { params, body }, identity) {
    const { locale = core.settings.locale, workingDirectory, priority, expectedHash } = body;
    const used = await useTemplate(core, identity, {
      id: params.id,
      values: body.values,
      locale,
      door: body.door,
      hasReadUntrusted: body.hasReadUntrusted,
      dryRun: body.dryRun,
      ...(workingDirectory && { workingDirectory }),
      ...(priority && { priority }),
      ...(expectedHash !== undefined && { expectedHash }),
    });
    return wireUsed(used, body.dryRun);
  },
});

const save = defineRoute(contract.saveTemplate, {
  run: (core, { body: { taskId, id, name, overwrite } }, identity) =>
    saveTemplate(core, identity, {
      taskId,
      overwrite,
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
    }),
});

const remove = defineRoute(contract.removeTemplate, {
  async run(core, { params }, identity) {
    await removeTemplate(core, identity, params);
    return { id: params.id };
  },
});

export const TEMPLATE_ROUTES: readonly Route[] = [list, get, use, save, remove];

function wireSummary(view: TemplateView): WireTemplateSummary {
  const { template, source, path, isTrusted, stages, missing } = view;
  const { id, kind, icon, name, description, languages } = template;
  return {
    id,
    kind,
    mode: template.kind === "group" ? template.plan.mode : null,
    icon,
    name,
    description,
    languages,
    source,
    path,
    isTrusted,
    stages,
    missing,
  };
}

function wireTemplate(view: TemplateView): WireTemplate {
  const { template } = view;
  return {
    ...wireSummary(view),
    values: template.values,
    needsHelp: template.needs.help,
    workingDirectory: template.kind === "role" ? null : template.workingDirectory,
    priority: template.kind === "task" ? template.priority : null,
    texts: readableTexts(template),
  };
}

function wireUsed(used: TemplateUsed, dryRun: boolean): z.infer<typeof templateUsedShape> {
  const none = { kind: used.kind, task: null, group: null, agentIds: [], role: null };
  switch (used.kind) {
    case "task":
      return { ...none, task: wireTask(used.task) };
    case "group":
      return { ...none, group: wireGroup(used.group), agentIds: used.agents.map(({ id }) => id) };
    case "role": {
      const { roleId, saved, edited } = used.saved;
      const { path, hash, created, before, after } = edited;
      const yaml = dryRun && { yaml: { before, after } };
      return { ...none, role: { roleId, saved, path, hash, created, ...yaml } };
    }
  }
}
