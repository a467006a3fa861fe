import { savedPath, type TemplateQueries } from "../../app/ports/template-store.ts";
import { parseTemplate } from "./parse-template.ts";
import type { Cache, Found } from "./read-place.ts";

/** Reads the templates of the store. A newer version may have saved one that this one cannot use. */
export async function readSaved(store: TemplateQueries, cache: Cache): Promise<Found> {
  const found: Found = { templates: [], problems: [] };
  for (const { id, text } of await store.listSavedTemplates()) {
    const path = savedPath(id);
    const known = cache.get(path);
    const parsed = known?.seen === text ? known.parsed : parseTemplate(text, path, id);
    cache.set(path, { seen: text, parsed });
    if (parsed.template) found.templates.push({ template: parsed.template, source: "saved", path });
    found.problems.push(...parsed.problems);
  }
  return found;
}
