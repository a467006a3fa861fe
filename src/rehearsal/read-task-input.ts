import { fieldsOf, isRecord, numberOf, parseJson, textOf, type Fields } from "../base/narrow.ts";
import { INTERNAL_ROLES, type InternalRole } from "../domain/roles/internal-role.ts";
import type {
  AnalysisInput,
  CatalogueTool,
  DesignedStep,
  DesignInput,
  DraftInput,
  ExecutionInput,
  ExecutionStep,
  PlanInput,
  TaskFacts,
} from "../domain/tasks/drafting.ts";
import { STEP_STATUSES } from "../domain/tasks/execution.ts";
import { TASK_PRIORITIES } from "../domain/tasks/task.ts";

/** The stage of each internal role. */
const STAGES = {
  "task-analyst": "analysis",
  planner: "planning",
  "process-designer": "design",
  executor: "execution",
} as const satisfies Record<InternalRole, DraftInput["stage"]>;

export function internalRole(role: string | undefined): InternalRole | undefined {
  return INTERNAL_ROLES.find((known) => known === role);
}

/** Missing fields count as empty; undefined if this is not the input of the role. */
export function readTaskInput(json: string, role: InternalRole): DraftInput | undefined {
  const fields = parseJson(json);
  if (!isRecord(fields) || fields.stage !== STAGES[role]) return undefined;
  switch (role) {
    case "task-analyst":
      return readAnalysis(fields);
    case "planner":
      return readPlan(fields);
    case "process-designer":
      return readDesign(fields);
    case "executor":
      return readExecution(fields);
  }
}

function readAnalysis(fields: Fields): AnalysisInput {
  return {
    ...common(fields),
    stage: "analysis",
    types: texts(fields.types),
    priority: TASK_PRIORITIES.find((known) => known === fields.priority) ?? null,
  };
}

function readPlan(fields: Fields): PlanInput {
  return {
    ...common(fields),
    ...drafted(fields),
    stage: "planning",
    previous: textOf(fields.previous) ?? null,
  };
}

function readDesign(fields: Fields): DesignInput {
  return {
    ...common(fields),
    ...drafted(fields),
    stage: "design",
    prompt: textOf(fields.prompt) ?? "",
    previous: Array.isArray(fields.previous) ? list(fields.previous).map(readDesigned) : null,
  };
}

function readDesigned({ title, tool, requiresHumanCheck }: Fields): DesignedStep {
  return {
    title: textOf(title) ?? "",
    tool: textOf(tool) ?? "",
    requiresHumanCheck: requiresHumanCheck === true,
  };
}

function readExecution(fields: Fields): ExecutionInput {
  const { locale, request } = common(fields);
  return {
    locale,
    request,
    stage: "execution",
    task: readTask(fields.task),
    prompt: textOf(fields.prompt) ?? "",
    attempt: numberOf(fields.attempt) ?? 1,
    steps: list(fields.steps).flatMap(readStep),
    unplanned: list(fields.unplanned),
    decisions: texts(fields.decisions),
  };
}

function common({ locale, request, sentBack }: Fields) {
  return {
    locale: locale === "en" ? "en" : "ja",
    request: textOf(request) ?? "",
    sentBack: isRecord(sentBack)
      ? { answer: textOf(sentBack.answer) ?? "", errors: texts(sentBack.errors) }
      : null,
  } as const;
}

function drafted({ task, catalogue, rejections }: Fields) {
  return {
    task: readTask(task),
    catalogue: list(catalogue).flatMap(readTool),
    rejections: list(rejections).map((rejection) => ({
      version: numberOf(rejection.version) ?? 0,
      reason: textOf(rejection.reason) ?? "",
    })),
  };
}

function readTask(value: unknown): TaskFacts {
  const { title, description, priority, type } = fieldsOf(value);
  return {
    title: textOf(title) ?? "",
    description: textOf(description) ?? "",
    priority: TASK_PRIORITIES.find((known) => known === priority) ?? "medium",
    type: textOf(type) ?? "",
  };
}

function readTool(fields: Fields): readonly CatalogueTool[] {
  const tool = textOf(fields.tool);
  if (!tool) return [];
  return [
    {
      tool,
      title: textOf(fields.title) ?? null,
      description: textOf(fields.description) ?? "",
      inputSchema: objectOf(fields.inputSchema),
      outputSchema: objectOf(fields.outputSchema),
      annotations: objectOf(fields.annotations),
    },
  ];
}

function readStep(fields: Fields, index: number): readonly ExecutionStep[] {
  const tool = textOf(fields.tool);
  const order = numberOf(fields.order) ?? index + 1;
  if (!tool) return [];
  return [
    {
      id: `step-${order}`,
      order,
      title: textOf(fields.title) ?? tool,
      tool,
      call: textOf(fields.call) ?? tool.slice(tool.indexOf("/") + 1),
      inputSchema: objectOf(fields.inputSchema),
      requiresHumanCheck: fields.requiresHumanCheck === true,
      status: STEP_STATUSES.find((known) => known === fields.status) ?? "waiting",
      results: list(fields.results),
    },
  ];
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((member) => typeof member === "string") : [];
}

function objectOf(value: unknown): Fields | null {
  return isRecord(value) ? value : null;
}
