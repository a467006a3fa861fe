import { stringify } from "yaml";
import type { TaskTemplate, Words } from "../../domain/templates/template.ts";

/** The text of a template file, for people to read and change. */
export function renderTaskTemplate(template: TaskTemplate): string {
  const { hints, needs } = template;
  const file = {
    id: template.id,
    kind: "task",
    icon: template.icon,
    name: written(template.name),
    description: written(template.description),
    ...(template.values.length > 0 && { values: template.values.map(valueOf) }),
    ...(needs.servers.length > 0 && { needs: { servers: needs.servers } }),
    ...(template.priority && { priority: template.priority }),
    ...(template.workingDirectory !== null && { workingDirectory: template.workingDirectory }),
    request: written(template.request),
    ...((hints.prompt || hints.steps.length > 0) && {
      hints: {
        ...(hints.prompt && { prompt: written(hints.prompt) }),
        ...(hints.steps.length > 0 && { steps: hints.steps.map(written) }),
      },
    }),
  };
  return `${SAVED_HEAD}${stringify(file, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** Files that `save` has written begin with it. */
export const SAVED_HEAD =
  "# A template of Kuromajutsu (docs/templates.md). {{name}} stands for a value of `values`.\n";

function valueOf(value: TaskTemplate["values"][number]) {
  return {
    name: value.name,
    label: written(value.label),
    ...(value.help && { help: written(value.help) }),
    ...(value.default && { default: written(value.default) }),
    ...(value.choices.length > 0 && { choices: value.choices.map(written) }),
    ...(value.isLong && { long: true }),
  };
}

function written({ ja, en }: Words): string | Words {
  return ja === en ? ja : { ja, en };
}
