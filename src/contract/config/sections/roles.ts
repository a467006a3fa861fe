import * as z from "zod";
import { ON_LOST } from "../../../domain/roles/role.ts";
import { MAX_LABELS } from "../../../domain/workers/labels.ts";
import { ISOLATIONS } from "../../../domain/workspaces/workspace.ts";
import { ACCESS_MODES } from "../defaults.ts";
import { oneOf, yesOrNo, text, label, listOrNull, ID_RULE, ID_PATTERN } from "../fields.ts";
import { runnerChoice } from "./runner-choice.ts";

/** Prefixes of other ids: the id of an agent with the role `grp` would look like a group. */
const RESERVED_ROLE_IDS = ["grp", "task", "prm", "prc", "exe", "apr", "ntf"];

const roleId = z
  .string({ error: ID_RULE })
  .regex(ID_PATTERN, { error: ID_RULE })
  .refine((id) => !RESERVED_ROLE_IDS.includes(id), {
    error: `an id other than ${RESERVED_ROLE_IDS.join(", ")} (prefixes of other ids)`,
  });

const MODEL_RULE = "a model name";
/** The CLI would parse a name with a leading hyphen as an option. */
const modelName = z
  .string({ error: MODEL_RULE })
  .regex(/^[^-\s][^\r\n]*$/, { error: `${MODEL_RULE} on one line that does not begin with "-"` });

const modelPerRunner = z.strictObject(
  {
    cursor: modelName.exactOptional(),
    claude: modelName.exactOptional(),
    codex: modelName.exactOptional(),
    gemini: modelName.exactOptional(),
    opencode: modelName.exactOptional(),
    rehearsal: modelName.exactOptional(),
  },
  { error: "a map from runner to model name" },
);

const ALLOWED_PATTERN = /^(?:\*|[A-Za-z0-9][A-Za-z0-9_-]{0,39}(?:\/\S{1,200})?)$/;
const ALLOWED_RULE = "a server of mcpServers, `server/tool`, or `*`";

export const roleSection = z.strictObject(
  {
    id: roleId.describe("The role's id. The id of a built-in role changes that role."),
    name: text().exactOptional().describe("Name shown to people."),
    description: text()
      .exactOptional()
      .describe("What the role is for; `list_roles` gives it to the main agent."),
    model: z
      .union([modelName, modelPerRunner], {
        error: "a model name, or a map from runner to model name",
      })
      .exactOptional()
      .describe(
        "Model name, or a map from runner to model name. What you write is never replaced. With a fallback list one name belongs to its first runner.",
      ),
    systemPrompt: text().exactOptional().describe("First layer of the agent's prompt."),
    healthCheckPrompt: text()
      .exactOptional()
      .describe("What a health check asks. New roles have `Hello, respond with exactly: OK`."),
    tools: listOrNull(z.string({ error: "the id of a role tool" }), "a list of role tool ids")
      .exactOptional()
      .describe("Ids of role tools (`textlint`, or one of `tools`)."),
    runner: runnerChoice
      .exactOptional()
      .describe("One runner, `auto`, or a [fallback list](#runners). Left out: `agent.runner`."),
    mcpServers: listOrNull(
      z.string({ error: ALLOWED_RULE }).regex(ALLOWED_PATTERN, { error: ALLOWED_RULE }),
      "a list of upstream servers or tools",
    )
      .exactOptional()
      .describe(
        "Upstream tools agents of this role may use: names of `mcpServers`, `server/tool`, or `*` for all. New roles have none, `executor` has all.",
      ),
    access: oneOf(ACCESS_MODES)
      .exactOptional()
      .describe("May this role edit files? New roles are `read-write`."),
    isolation: oneOf(ISOLATIONS)
      .exactOptional()
      .describe(
        "Do agents of this role work in worktrees of their own? Left out: `workspace.isolation`.",
      ),
    labels: listOrNull(label, "a list of labels")
      .refine((labels) => labels.length <= MAX_LABELS, {
        error: `at most ${MAX_LABELS} labels`,
      })
      .exactOptional()
      .describe(
        "[Labels](scale.md#labels) that a server or worker must have to run agents of this role. A request may add more.",
      ),
    onLost: oneOf(ON_LOST)
      .exactOptional()
      .describe(
        "What happens to an agent whose server or worker is gone. `report` (the default): it is `lost`. `requeue`: it is started again elsewhere, up to 3 times in all; work that it had begun may be done twice.",
      ),
    disabled: yesOrNo().default(false).describe("`true` removes the role, built-in or not."),
  },
  { error: "a map that describes one role" },
);

export const toolSection = z.strictObject(
  {
    id: z
      .string({ error: ID_RULE })
      .regex(ID_PATTERN, { error: ID_RULE })
      .describe("The tool's id, for `roles[].tools`. The id of a built-in tool replaces it."),
    name: text().describe("Name shown to people and in the prompt."),
    description: text().describe("What the tool does."),
    promptInstructions: text().describe(
      "How to use it (Markdown); goes into the prompt of every agent whose role has the tool.",
    ),
    check: z
      .array(text("a text"), { error: "a list: the command and its arguments" })
      .min(1, { error: "a list: the command and its arguments" })
      .exactOptional()
      .describe(
        "Command and arguments that end with 0 where the tool is installed; run only on request.",
      ),
  },
  { error: "a map that describes one role tool" },
);
