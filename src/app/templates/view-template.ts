import { type Template, stagesOf } from "../../domain/templates/template.ts";
import type { Core } from "../core.ts";
import type { FoundTemplate } from "../ports/template-files.ts";

export type TemplateView = FoundTemplate & {
  /** false: it is part of a folder that the person has not trusted. */
  readonly isTrusted: boolean;
  /** The roles of each stage of a group. */
  readonly stages: readonly (readonly string[])[];
  readonly missing: { readonly servers: readonly string[]; readonly roles: readonly string[] };
};

type Known = Pick<Core, "roles" | "upstream" | "trust">;

export function viewTemplate(core: Known, found: FoundTemplate): TemplateView {
  const stages = stagesOf(found.template);
  return {
    ...found,
    isTrusted: found.source !== "folder" || isFolderTrusted(core),
    stages,
    missing: {
      servers: missingServers(core, found.template),
      roles: [...new Set(stages.flat())].filter((role) => !core.roles.has(role)),
    },
  };
}

/** A folder is trusted with its configuration file. Without a file to trust it is the person's own. */
function isFolderTrusted({ trust }: Pick<Core, "trust">): boolean {
  const now = trust?.now() ?? null;
  if (now === null) return true;
  return now.inUse !== null && now.powers.every(({ isTrusted }) => isTrusted);
}

function missingServers(
  { upstream }: Pick<Core, "upstream">,
  { needs }: Template,
): readonly string[] {
  const known = upstream.servers().map(({ name }) => name);
  return needs.servers.filter((server) => !known.includes(server));
}
