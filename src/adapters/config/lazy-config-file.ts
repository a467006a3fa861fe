import type { ConfigFile } from "../../app/ports/config-file.ts";
import type { ConfigFileOptions } from "./edit-config.ts";

/** Editing is rare and needs the YAML library, so both are loaded at the first edit. */
export function createLazyConfigFile(options: ConfigFileOptions): ConfigFile {
  const load = async (): Promise<ConfigFile> => {
    const { createConfigFile } = await import("./edit-config.ts");
    return createConfigFile(options);
  };
  return {
    path: options.path,
    preview: async (edit, expectedHash) => (await load()).preview(edit, expectedHash),
    editRoles: async (edit, expectedHash) => (await load()).editRoles(edit, expectedHash),
  };
}
