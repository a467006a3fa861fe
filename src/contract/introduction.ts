/** How we introduce ourselves to an MCP client. Plain data: the shim says it too, and loads nothing. */
export const SERVER_INFO = { name: "kuromajutsu", title: "Kuromajutsu 黒魔術" };

export const CAPABILITIES = { tools: { listChanged: true } };

export const INSTRUCTIONS =
  "Kuromajutsu runs other agents for you. create_group, then run_agents, then wait_agent (again while waitMore is true), then get_agent_status for each result; delete_group when done. list_roles says who is available. If you are an agent started by Kuromajutsu, finish with report_result; when a tool answer carries a notification, call get_notifications and do what it says.";
