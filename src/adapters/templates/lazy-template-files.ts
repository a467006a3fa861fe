import type { TemplateFiles } from "../../app/ports/template-files.ts";
import type { TemplateFolders } from "./template-files.ts";

/** Templates need the YAML library, so they are loaded at the first request. */
export function createLazyTemplateFiles(folders: TemplateFolders): TemplateFiles {
  let files: Promise<TemplateFiles> | undefined;
  const load = (): Promise<TemplateFiles> => {
    files ??= import("./template-files.ts").then(({ createTemplateFiles }) =>
      createTemplateFiles(folders),
    );
    return files;
  };
  return {
    folder: folders.folder,
    list: async () => (await load()).list(),
    save: async (template, overwrite) => (await load()).save(template, overwrite),
  };
}
