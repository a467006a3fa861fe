/** The answer to a call that was open when its daemon ended. Plain data, because the shim loads it. */
export const DAEMON_RESTARTED = {
  error: true,
  code: "DAEMON_RESTARTED",
  message:
    "The daemon restarted while this call was open. Agents keep running, and nothing that was acknowledged is lost.",
  hint: "Call again. If the call starts agents, check list_agents first: it may have been carried out.",
};

/** The same as the result of a tool, so that the model sees it. */
export const RESTARTED_RESULT = {
  isError: true,
  content: [{ type: "text" as const, text: JSON.stringify(DAEMON_RESTARTED) }],
};
