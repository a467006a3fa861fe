import * as z from "zod";
import { TASK_PRIORITIES } from "../../domain/tasks/task.ts";
import { VALUE_NAME } from "../../domain/templates/placeholders.ts";
import { TEMPLATE_ICONS, TEMPLATE_KINDS } from "../../domain/templates/template.ts";
import { ID_PATTERN, ID_RULE, oneOf, text, wholeNumber, yesOrNo } from "../config/fields.ts";
import { roleSection } from "../config/sections/roles.ts";
import { SERVER_PATTERN, SERVER_RULE } from "../config/sections/upstream.ts";

/** Template files. The `error` of a field is what a problem says after "expected". */
function words(maxChars: number) {
  const error = `a text of at most ${maxChars} characters, or a map with one in ja and one in en`;
  const one = text(error).max(maxChars, { error });
  return z.union([one, z.strictObject({ ja: one, en: one }, { error })], { error });
}

const NAME_RULE =
  "a name of letters, digits, hyphens and underscores, at most 40 characters, beginning with a letter";
/** A default may be empty: then the person may leave the value out. */
const usual = z.union(
  [z.string().max(2_000), z.strictObject({ ja: z.string().max(2_000), en: z.string().max(2_000) })],
  { error: "a text of at most 2000 characters, or a map with one in ja and one in en" },
);

const value = z.strictObject(
  {
    name: z.string({ error: NAME_RULE }).regex(VALUE_NAME, { error: NAME_RULE }),
    label: words(100).exactOptional(),
    help: words(500).exactOptional(),
    default: usual.exactOptional(),
    choices: z
      .array(words(200), { error: "a list of texts" })
      .max(50, { error: "at most 50 choices" })
      .exactOptional(),
    long: yesOrNo().exactOptional(),
  },
  { error: "a map with name, label, default and choices" },
);

const SERVERS_RULE = "a list of names of mcpServers";
const about = {
  id: z.string({ error: ID_RULE }).regex(ID_PATTERN, { error: ID_RULE }),
  kind: oneOf(TEMPLATE_KINDS),
  icon: oneOf(TEMPLATE_ICONS).exactOptional(),
  name: words(100),
  description: words(1_000),
  values: z
    .array(value, { error: "a list of values" })
    .max(30, { error: "at most 30 values" })
    .exactOptional(),
  needs: z
    .strictObject(
      {
        servers: z
          .array(z.string({ error: SERVER_RULE }).regex(SERVER_PATTERN, { error: SERVER_RULE }), {
            error: SERVERS_RULE,
          })
          .max(20, { error: "at most 20 servers" }),
        help: words(1_000).exactOptional(),
      },
      { error: "a map with servers and help" },
    )
    .exactOptional(),
};

/** More than the longest request, because braces in a saved one are escaped. */
const LONG = 30_000;
const directory = text("a path").max(4_096, { error: "a path" });

export const taskFileShape = z.strictObject({
  ...about,
  request: words(LONG),
  priority: oneOf(TASK_PRIORITIES).exactOptional(),
  workingDirectory: directory.exactOptional(),
  hints: z
    .strictObject(
      {
        prompt: words(LONG).exactOptional(),
        steps: z.array(words(500), { error: "a list of texts" }).max(100).exactOptional(),
      },
      { error: "a map with prompt and steps" },
    )
    .exactOptional(),
});

const agents = z
  .array(
    z.strictObject(
      { role: roleSection.shape.id, prompt: words(LONG) },
      { error: "a map with role and prompt" },
    ),
    { error: "a list of agents: role and prompt" },
  )
  .min(1, { error: "at least one agent: role and prompt" })
  .max(20, { error: "at most 20 agents" });

const MODES = ["concurrent", "sequential", "magentic"] as const;
const group = { ...about, mode: oneOf(MODES), workingDirectory: directory.exactOptional() };

export const concurrentFileShape = z.strictObject({ ...group, agents });

export const sequentialFileShape = z.strictObject({
  ...group,
  stages: z
    .array(
      z.strictObject(
        { name: words(100).exactOptional(), agents },
        { error: "a map with name and agents" },
      ),
      { error: "a list of stages" },
    )
    .min(1, { error: "at least one stage" })
    .max(20, { error: "at most 20 stages" }),
  onFailure: oneOf(["stop", "continue"]).exactOptional(),
});

export const magenticFileShape = z.strictObject({
  ...group,
  task: words(LONG),
  completionCriteria: words(LONG),
  scope: words(LONG),
  constraints: words(LONG).exactOptional(),
  context: words(LONG).exactOptional(),
  availableRoles: z
    .array(roleSection.shape.id, { error: "a list of roles" })
    .max(50)
    .exactOptional(),
  maxIterations: wholeNumber(1, 1_000).exactOptional(),
});

export const roleFileShape = z.strictObject({
  ...about,
  role: z.strictObject(
    {
      id: roleSection.shape.id,
      name: words(100),
      description: words(1_000),
      systemPrompt: words(LONG),
      model: z.string({ error: "a model name" }).min(1).max(200).exactOptional(),
      runner: roleSection.shape.runner,
      access: roleSection.shape.access,
      tools: roleSection.shape.tools,
      mcpServers: roleSection.shape.mcpServers,
    },
    { error: "a map that describes one role" },
  ),
});

export const groupFileShapes = {
  concurrent: concurrentFileShape,
  sequential: sequentialFileShape,
  magentic: magenticFileShape,
} as const;
