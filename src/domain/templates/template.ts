import type { Access } from "../agents/agent.ts";
import type { RunnerChoice } from "../agents/runner.ts";
import type { Locale } from "../locale.ts";
import type { TaskPriority } from "../tasks/task.ts";

export const TEMPLATE_KINDS = ["task", "group", "role"] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

/**
 * builtin: part of the package. saved: in the database, and so the same on every server. user: this
 * user's own, for every project. folder: beside the configuration file, and so perhaps part of a
 * clone.
 */
export const TEMPLATE_SOURCES = ["builtin", "saved", "user", "folder"] as const;
export type TemplateSource = (typeof TEMPLATE_SOURCES)[number];

export const TEMPLATE_ICONS = [
  "clipboard",
  "clock",
  "file-text",
  "flask",
  "git-merge",
  "layers",
  "pen",
  "search",
  "shield",
  "users",
] as const;
export type TemplateIcon = (typeof TEMPLATE_ICONS)[number];

/** A text in both languages. A file with one text has it twice. */
export type Words = Readonly<Record<Locale, string>>;

/** What a person fills in. `{{name}}` in a text stands for it. */
export type TemplateValue = {
  readonly name: string;
  readonly label: Words;
  readonly help: Words | null;
  /** null: the person must give one. */
  readonly default: Words | null;
  /** Empty: any text. */
  readonly choices: readonly Words[];
  readonly isLong: boolean;
};

type About = {
  readonly id: string;
  readonly icon: TemplateIcon;
  readonly name: Words;
  readonly description: Words;
  readonly languages: readonly Locale[];
  readonly values: readonly TemplateValue[];
  readonly needs: {
    /** MCP servers of the configuration. */
    readonly servers: readonly string[];
    /** How a person gets them. */
    readonly help: Words | null;
  };
};

export type TaskTemplate = About & {
  readonly kind: "task";
  readonly request: Words;
  /** null: the analyst chooses one. */
  readonly priority: TaskPriority | null;
  /** null: where the person is. */
  readonly workingDirectory: string | null;
  /** How an earlier task was done. It goes into the request; the planner may do it differently. */
  readonly hints: { readonly prompt: Words | null; readonly steps: readonly Words[] };
};

export type TemplateAgent = { readonly role: string; readonly prompt: Words };

export type TemplateStage = {
  readonly name: Words | null;
  readonly agents: readonly TemplateAgent[];
};

export type GroupPlan =
  | { readonly mode: "concurrent"; readonly agents: readonly TemplateAgent[] }
  | {
      readonly mode: "sequential";
      readonly stages: readonly TemplateStage[];
      readonly onFailure: "stop" | "continue";
    }
  | {
      readonly mode: "magentic";
      readonly task: Words;
      readonly completionCriteria: Words;
      readonly scope: Words;
      readonly constraints: Words | null;
      readonly context: Words | null;
      readonly availableRoles: readonly string[] | null;
      readonly maxIterations: number;
    };

export type GroupTemplate = About & {
  readonly kind: "group";
  readonly workingDirectory: string | null;
  readonly plan: GroupPlan;
};

export type RoleTemplate = About & {
  readonly kind: "role";
  readonly role: {
    readonly id: string;
    readonly name: Words;
    readonly description: Words;
    readonly systemPrompt: Words;
    /** null: the model of the role that writes code. */
    readonly model: string | null;
    readonly runner: RunnerChoice | null;
    readonly access: Access;
    readonly tools: readonly string[];
    readonly mcpServers: readonly string[];
  };
};

export type Template = TaskTemplate | GroupTemplate | RoleTemplate;

/** Every text that may have placeholders; hints have none. */
export function textsOf(template: Template): readonly Words[] {
  return template.kind === "task"
    ? [template.request]
    : readableTexts(template).map(({ text }) => text);
}

/** The roles of each stage, for a preview. An orchestrator chooses its agents itself. */
export function stagesOf(template: Template): readonly (readonly string[])[] {
  if (template.kind !== "group") return [];
  const { plan } = template;
  switch (plan.mode) {
    case "concurrent":
      return [plan.agents.map(({ role }) => role)];
    case "sequential":
      return plan.stages.map(({ agents }) => agents.map(({ role }) => role));
    case "magentic":
      return [["orchestrator"], [...(plan.availableRoles ?? [])]].filter(
        ({ length }) => length > 0,
      );
  }
}

/** One text of a template, for people to read before they use it. */
export type TemplateText = {
  /** The key of the file, such as `request` or `stages[0]`. */
  readonly label: string;
  readonly role: string | null;
  readonly text: Words;
};

export function readableTexts(template: Template): readonly TemplateText[] {
  switch (template.kind) {
    case "task":
      return taskTexts(template);
    case "group":
      return planTexts(template.plan);
    case "role": {
      const { id, systemPrompt } = template.role;
      return [{ label: "systemPrompt", role: id, text: systemPrompt }];
    }
  }
}

function taskTexts({ request, hints }: TaskTemplate): readonly TemplateText[] {
  return [
    { label: "request", role: null, text: request },
    ...(hints.prompt ? [{ label: "hints.prompt", role: null, text: hints.prompt }] : []),
    ...hints.steps.map((text, index) => ({ label: `hints.steps[${index}]`, role: null, text })),
  ];
}

function planTexts(plan: GroupPlan): readonly TemplateText[] {
  switch (plan.mode) {
    case "concurrent":
      return plan.agents.map(({ role, prompt }) => ({ label: "agents", role, text: prompt }));
    case "sequential":
      return plan.stages.flatMap(({ agents }, index) =>
        agents.map(({ role, prompt }) => ({ label: `stages[${index}]`, role, text: prompt })),
      );
    case "magentic":
      return (["task", "completionCriteria", "scope", "constraints", "context"] as const).flatMap(
        (label) => {
          const text = plan[label];
          return text === null ? [] : [{ label, role: null, text }];
        },
      );
  }
}
