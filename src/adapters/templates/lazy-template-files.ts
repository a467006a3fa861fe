import type { TemplateFiles } from "../../app/ports/template-files.ts";
import type { TemplateQueries } from "../../app/ports/template-store.ts";
import type { TemplateFolders } from "./template-files.ts";

/** Templates need the YAML library, so they are loaded at the first request. */
export function createLazyTemplateFiles(
  folders: TemplateFolders,
  store?: TemplateQueries,
): TemplateFiles {
  let files: Promise<TemplateFiles> | undefined;
  const load = (): Promise<TemplateFiles> => {
    files ??= import("./template-files.ts").then(({ createTemplateFiles }) =>
      createTemplateFiles(folders, store),
    );
    return files;
  };
  return {
    folder: folders.folder,
    areSavedInStore: store !== undefined,
    list: async () => (await load()).list(),
    render: async (template) => (await load()).render(template),
    save: async (template, overwrite) => (await load()).save(template, overwrite),
  };
}
