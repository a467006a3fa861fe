import type { Core } from "../core.ts";

/** Read-only by the configuration; a tool that is not known now counts as changing. */
export function isReadOnlyTool(
  core: Pick<Core, "upstream">,
  { server, tool }: { readonly server: string; readonly tool: string },
): boolean {
  const found = core.upstream.servers().find(({ name }) => name === server);
  return found?.tools.find(({ name }) => name === tool)?.isReadOnly ?? false;
}
