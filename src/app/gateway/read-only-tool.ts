import type { Core } from "../core.ts";

/** The configuration says that it changes nothing; a tool that is not known now may change things. */
export function isReadOnlyTool(
  core: Pick<Core, "upstream">,
  { server, tool }: { readonly server: string; readonly tool: string },
): boolean {
  const found = core.upstream.servers().find(({ name }) => name === server);
  return found?.tools.find(({ name }) => name === tool)?.isReadOnly ?? false;
}
