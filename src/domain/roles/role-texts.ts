import type { Locale } from "../locale.ts";
import { builtinRoles } from "./builtin-roles.ts";
import type { Role } from "./role.ts";

export type RoleTexts = Pick<Role, "name" | "description">;

/** The built-in roles in English; their own texts are the Japanese ones of the specification. */
const ENGLISH: Readonly<Record<string, RoleTexts>> = {
  "impl-code": {
    name: "Code implementer",
    description:
      "Writes and changes code. Use it for tasks that edit files: new features, bug fixes, refactoring",
  },
  "code-review": {
    name: "Code reviewer",
    description:
      "Reviews the quality of code. Use it after an implementation for feedback on quality, security and performance. Does not edit files",
  },
  "text-review": {
    name: "Text reviewer",
    description:
      "Reviews the quality of texts. Use it to check grammar, wording and structure of documents, specifications and READMEs. Does not edit files",
  },
  research: {
    name: "Researcher",
    description:
      "Investigates and gathers information. Use it to choose technologies, to find best practices and to analyze a code base. Does not edit files",
  },
  "impl-test": {
    name: "Test implementer",
    description:
      "Writes tests. Use it to create unit and integration tests and to raise test coverage",
  },
  orchestrator: {
    name: "Orchestrator",
    description:
      "Leads work in the Magentic pattern: analyzes the task, plans, delegates to sub-agents, evaluates their results and replans, all by itself",
  },
};

const BUILTIN = new Map(builtinRoles("ja").map((role) => [role.id, role]));

/** The English texts of a role, field by field; a text of the configuration has no translation. */
function englishTexts({ id, name, description }: RoleTexts & Pick<Role, "id">): RoleTexts {
  const builtin = BUILTIN.get(id);
  const english = ENGLISH[id];
  return {
    name: english && builtin?.name === name ? english.name : name,
    description:
      english && builtin?.description === description ? english.description : description,
  };
}

/** The English texts for the wire, if they differ. */
export function englishIfOther(role: RoleTexts & Pick<Role, "id">): {
  readonly english?: RoleTexts;
} {
  const english = englishTexts(role);
  const isSame = english.name === role.name && english.description === role.description;
  return isSame ? {} : { english };
}

/** The texts of a role for a reader of this language. */
export function roleTexts(role: RoleTexts & Pick<Role, "id">, locale: Locale): RoleTexts {
  const { name, description } = role;
  return locale === "en" ? englishTexts(role) : { name, description };
}
