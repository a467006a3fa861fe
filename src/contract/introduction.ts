/** Sent to MCP clients in `initialize`. Plain data, because the shim loads it on every start. */
export const SERVER_INFO = { name: "kuromajutsu", title: "Kuromajutsu 黒魔術" };

export const CAPABILITIES = { tools: { listChanged: true } };

export const INSTRUCTIONS =
  "Kuromajutsu runs other AI agents for you and keeps their results. list_roles shows which kinds of agents there are. To use them: create_group, run_agents, then wait_agent (again with its cursor while waitMore is true), which gives one line per finished agent; get_agent_status with agentIds gives their whole results; delete_group when you are done. run_sequential runs stages, run_magentic hands over a whole task, create_task asks for work that people approve first. If Kuromajutsu started you as an agent, finish with report_result. When an answer carries a notification, call get_notifications and do what it says.";
