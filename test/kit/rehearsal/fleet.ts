import { aToolDaemon, type ScriptedTool, type ToolDaemonOptions } from "./tool-daemon.ts";

export const GROUP_ID = "grp-1794733200-c0de";

/** A refusal in the format of the MCP door. */
export function refusal(code: string, more: Readonly<Record<string, unknown>> = {}) {
  const text = JSON.stringify({ error: true, code, message: `${code}です`, hint: "", ...more });
  return { isError: true, content: [{ type: "text" as const, text }] };
}

export type Script = Readonly<Record<string, Partial<ScriptedTool>>>;

/** A daemon with the fleet tools, for a real child process. */
export function aFleet(over: Script = {}, options: ToolDaemonOptions = {}) {
  return aToolDaemon(fleetTools(over), options);
}

/** Tools of a daemon whose agents end at once; `over` scripts what a test is about. */
export function fleetTools(over: Script = {}): Readonly<Record<string, ScriptedTool>> {
  const agents: { readonly agentId: string; readonly role: string }[] = [];
  const tools: Record<string, ScriptedTool> = {
    list_roles: {
      answer: () => ({
        roles: [
          { id: "orchestrator", available: true },
          { id: "broken", available: false },
          { id: "writer", available: true },
          { id: "reader", available: true },
        ],
      }),
    },
    update_ledger: { answer: () => ({ iterations: 1, maxIterations: 10, stalls: 0 }) },
    create_group: { isOnce: true, answer: () => ({ groupId: GROUP_ID, status: "active" }) },
    run_agents: {
      isOnce: true,
      answer({ agents: requests }) {
        const wanted = Array.isArray(requests) ? requests : [];
        const started = wanted.map(({ role }: { readonly role: string }, index) => ({
          agentId: `${role}-1794733200-000${agents.length + index + 1}`,
          role,
        }));
        agents.push(...started);
        return { agents: started, total: started.length };
      },
    },
    list_agents: { answer: () => ({ agents, total: agents.length }) },
    wait_agent: {
      answer: ({ agentIds }) => ({
        completed: Array.isArray(agentIds) ? agentIds.map((agentId) => ({ agentId })) : [],
        pending: [],
        timedOut: false,
      }),
    },
    get_agent_status: {
      answer: ({ agentId }) => ({
        agentId,
        status: "resultReported",
        result: { status: "success", summary: `${String(agentId)} の\n#rehearsal crash まとめ` },
      }),
    },
    get_notifications: { answer: () => ({ notifications: [] }) },
    report_result: { answer: () => ({ registered: true }) },
    report_completed: { answer: () => ({ registered: true }) },
  };
  for (const [name, tool] of Object.entries(over)) {
    const whole = tools[name];
    if (whole) tools[name] = { ...whole, ...tool };
  }
  return tools;
}
