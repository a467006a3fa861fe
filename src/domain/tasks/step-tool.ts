import { nearest } from "../text/nearest.ts";
import { ROLE_STEP_PREFIX, type ToolRef } from "./draft.ts";
import type { CatalogueTool } from "./drafting.ts";

export type ToolFound = { readonly ref: ToolRef } | { readonly error: string };

/**
 * The tool that a step names: `server/tool`, `agent:<role>`, or a bare name that only one server
 * has.
 */
export function findStepTool(name: string, catalogue: readonly CatalogueTool[]): ToolFound {
  const exact = catalogue.find(({ tool }) => tool === name);
  if (exact) return { ref: refOf(exact.tool) };
  const named = catalogue.map(({ tool }) => tool).filter((tool) => refOf(tool).tool === name);
  const [only] = named;
  if (only !== undefined && named.length === 1) return { ref: refOf(only) };
  if (named.length > 1) {
    return { error: `several servers have a tool "${name}"; write one of ${named.join(", ")}` };
  }
  const near = nearest(
    name,
    catalogue.map(({ tool }) => tool),
  );
  const hint = near === undefined ? "use one of the catalogue" : `did you mean "${near}"?`;
  return { error: `"${name}" is not in the catalogue; ${hint}` };
}

/** The form used in steps and prompts. */
export function toolName({ server, tool }: ToolRef): string {
  return server === null ? tool : `${server}/${tool}`;
}

/** A server's name has no slash; a tool's may. */
function refOf(name: string): ToolRef {
  const slash = name.indexOf("/");
  if (name.startsWith(ROLE_STEP_PREFIX) || slash < 0) return { server: null, tool: name };
  return { server: name.slice(0, slash), tool: name.slice(slash + 1) };
}
