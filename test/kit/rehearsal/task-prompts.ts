import { buildFullPrompt } from "../../../src/domain/agents/prompt.ts";
import type { InternalRole } from "../../../src/domain/roles/internal-role.ts";
import { renderDraftPrompt } from "../../../src/domain/tasks/drafting-prompt.ts";
import type {
  AnalysisInput,
  CatalogueTool,
  DesignInput,
  DraftInput,
  ExecutionInput,
  ExecutionStep,
  PlanInput,
} from "../../../src/domain/tasks/drafting.ts";

const ROLES = {
  analysis: "task-analyst",
  planning: "planner",
  design: "process-designer",
  execution: "executor",
} as const satisfies Record<DraftInput["stage"], InternalRole>;

/** The whole prompt an internal role is started with. */
export function aTaskPrompt(input: DraftInput): string {
  const role = ROLES[input.stage];
  return buildFullPrompt({
    agentId: `${role}-1794733200-a3f2`,
    groupId: "grp-1794733200-b4e1",
    role: { id: role, systemPrompt: "役割の説明です。" },
    toolName: (tool) => tool,
    tools: [],
    previousStageResults: null,
    userPrompt: renderDraftPrompt(input),
  });
}

const TASK = { title: "荷物の集計", description: "", priority: "medium", type: "集計" } as const;

export function anAnalysis(over: Partial<AnalysisInput> = {}): AnalysisInput {
  return {
    stage: "analysis",
    locale: "ja",
    request: "9月分をまとめて",
    types: [],
    priority: null,
    sentBack: null,
    ...over,
  };
}

export function aPlanning(over: Partial<PlanInput> = {}): PlanInput {
  return {
    stage: "planning",
    locale: "ja",
    request: "9月分をまとめて",
    task: TASK,
    catalogue: [READ_TOOL, WRITE_TOOL],
    rejections: [],
    previous: null,
    sentBack: null,
    ...over,
  };
}

export function aDesigning(over: Partial<DesignInput> = {}): DesignInput {
  const { catalogue, rejections } = aPlanning(over.catalogue && { catalogue: over.catalogue });
  return {
    stage: "design",
    locale: "ja",
    request: "9月分をまとめて",
    task: TASK,
    prompt: "方針",
    catalogue,
    rejections,
    previous: null,
    sentBack: null,
    ...over,
  };
}

export function anExecuting(over: Partial<ExecutionInput> = {}): ExecutionInput {
  return {
    stage: "execution",
    locale: "ja",
    request: "9月分をまとめて",
    task: TASK,
    prompt: "方針",
    attempt: 1,
    steps: [aReadStep(), aWriteStep()],
    unplanned: [],
    decisions: [],
    ...over,
  };
}

const ROWS = {
  type: "array",
  items: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
};

export const READ_TOOL: CatalogueTool = {
  tool: "depot/list",
  title: "荷物の一覧",
  description: "",
  inputSchema: {
    type: "object",
    properties: { month: { type: "string", pattern: String.raw`^\d{4}-\d{2}$` } },
    required: ["month"],
  },
  outputSchema: { type: "object", properties: { parcels: ROWS } },
  annotations: { readOnlyHint: true },
};

export const WRITE_TOOL: CatalogueTool = {
  tool: "depot/store",
  title: null,
  description: "",
  inputSchema: {
    type: "object",
    properties: { title: { type: "string" }, parcels: ROWS },
    required: ["title", "parcels"],
  },
  outputSchema: null,
  annotations: null,
};

export const AGENT_TOOL: CatalogueTool = {
  tool: "agent:writer",
  title: null,
  description: "",
  inputSchema: null,
  outputSchema: null,
  annotations: null,
};

export function aReadStep(over: Partial<ExecutionStep> = {}): ExecutionStep {
  return {
    id: "step-1",
    order: 1,
    title: "荷物の一覧",
    tool: "depot/list",
    call: "list",
    inputSchema: READ_TOOL.inputSchema,
    requiresHumanCheck: false,
    status: "waiting",
    results: [],
    ...over,
  };
}

export function aWriteStep(over: Partial<ExecutionStep> = {}): ExecutionStep {
  return {
    ...aReadStep(),
    id: "step-2",
    order: 2,
    title: "保存",
    tool: "depot/store",
    call: "store",
    inputSchema: WRITE_TOOL.inputSchema,
    requiresHumanCheck: true,
    ...over,
  };
}
