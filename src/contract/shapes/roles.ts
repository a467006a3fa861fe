import * as z from "zod";
import { MAX_LABELS } from "../../domain/workers/labels.ts";
import { ISOLATIONS } from "../../domain/workspaces/workspace.ts";
import { ACCESS_MODES, FALLBACK_RUNNERS, RUNNER_CHOICES } from "../config/defaults.ts";
import { label } from "../config/fields.ts";
import { roleSection } from "../config/sections/roles.ts";

/** Shapes of the role editor, for REST and the `config:*` messages. */
const written = roleSection.shape;

/** The fields a person may change; null removes a field from the file and restores its default. */
export const roleFieldsShape = z.strictObject({
  name: written.name.unwrap().nullable().exactOptional(),
  description: written.description.unwrap().nullable().exactOptional(),
  model: written.model.unwrap().nullable().exactOptional(),
  runner: written.runner.unwrap().nullable().exactOptional(),
  access: written.access.unwrap().nullable().exactOptional(),
  isolation: written.isolation.unwrap().nullable().exactOptional(),
  systemPrompt: written.systemPrompt.unwrap().nullable().exactOptional(),
  healthCheckPrompt: written.healthCheckPrompt.unwrap().nullable().exactOptional(),
  tools: z.array(z.string()).max(100).nullable().exactOptional(),
  mcpServers: z.array(z.string().max(300)).max(100).nullable().exactOptional(),
  labels: z.array(label).max(MAX_LABELS).nullable().exactOptional(),
  onLost: written.onLost.unwrap().nullable().exactOptional(),
});
export type RoleFields = z.infer<typeof roleFieldsShape>;

/** Hash of the file the editor loaded; a file that has changed since is not overwritten. */
export const expectedHashShape = z.string().max(100).exactOptional();

/** A role that is not built in also needs name, description, model and systemPrompt. */
export const newRoleShape = roleFieldsShape.extend({ id: written.id });

export const duplicateRoleShape = z.strictObject({
  newId: written.id,
  name: written.name.unwrap().exactOptional(),
});

/** A role with everything the editor shows. */
export const roleShape = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  english: z
    .object({ name: z.string(), description: z.string() })
    .readonly()
    .exactOptional()
    .describe("Texts of a built-in role in English, if they differ"),
  systemPrompt: z.string(),
  healthCheckPrompt: z.string(),
  model: z
    .union([z.string(), z.record(z.string(), z.string())])
    .describe("As configured: one name, or a name per runner"),
  modelFrom: z.enum(["default", "user"]),
  runner: z
    .union([z.enum(RUNNER_CHOICES), z.array(z.enum(FALLBACK_RUNNERS)).readonly()])
    .describe("As configured: one runner, `auto`, or a fallback list"),
  access: z.enum(ACCESS_MODES),
  isolation: z
    .enum(ISOLATIONS)
    .describe(
      "Whether its agents work in worktrees of their own; `workspace.isolation` if not set",
    ),
  tools: z.array(z.string()),
  mcpServers: z.array(z.string()).describe("Upstream tools: `server`, `server/tool` or `*`"),
  builtin: z.boolean(),
  modelInUse: z.string().describe("The model that a new agent of this role gets"),
  runnerInUse: z.string(),
  available: z.boolean(),
  reason: z.string().nullable().describe("Why it is not available"),
});
export type RoleDetails = z.infer<typeof roleShape>;

export const configFileShape = z.object({
  path: z.string().nullable().describe("The file that edits are written to"),
  hash: z.string().nullable().describe("Send it back as expectedHash"),
  editable: z.boolean(),
});

export const rolesAnswerShape = z.object({
  roles: z.array(roleShape),
  disabled: z.array(z.string()).describe("Built-in roles that were deleted; create one to restore"),
  config: configFileShape,
});
export type RolesAnswer = z.infer<typeof rolesAnswerShape>;

export const roleSavedShape = z.object({
  saved: z.boolean().describe("false: nothing to change, or a dry run"),
  role: roleShape.nullable().describe("The role as it is now; null: deleted"),
  path: z.string(),
  hash: z.string().describe("Hash of the file as it is now, or would be after a dry run"),
  created: z.boolean().describe("true: the file is new"),
  yaml: z
    .object({ before: z.string(), after: z.string() })
    .optional()
    .describe("Dry run: the whole text of the file"),
});
export type RoleSaved = z.infer<typeof roleSavedShape>;

export const roleToolShape = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  promptInstructions: z.string(),
  builtin: z.boolean(),
  check: z.array(z.string()).nullable(),
  usedBy: z.array(z.string()).describe("Roles that have it"),
  installed: z.boolean().nullable().describe("null: not checked, or there is no check command"),
  detail: z.string().nullable().describe("Output of the check command"),
});
