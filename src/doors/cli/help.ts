export const HELP = `Kuromajutsu 黒魔術 — the control room for AI agents

  kuromajutsu [serve]    run the daemon here: MCP, REST and live events on port 9696
  kuromajutsu mcp        the MCP server for your coding agent (stdio); starts a daemon if none runs
  kuromajutsu run "…"    ask for work; shows the policy and the steps, asks y/n, shows progress
  kuromajutsu tasks      all tasks; tasks ID shows one; tasks ID block|unblock|cancel|retry|follow
  kuromajutsu approvals  what waits for a person; approvals ID approve|reject
  kuromajutsu user       who may sign in: user add ID, list, token ID (a new one), remove ID
  kuromajutsu trust [PATH]  let a configuration file found here run its commands; shows them, asks
  kuromajutsu audit verify   is the record of who did what untouched? ends with 1 if not
  kuromajutsu audit anchor   accept the record as it is now, after you looked at what verify says
  kuromajutsu status     is a daemon running, where, with how many agents
  kuromajutsu reload     the daemon reads its configuration again; a wrong one changes nothing
  kuromajutsu stop       end the daemon; agents that are running go on

  --port N               serve: exactly this port (otherwise 9696 or the next free one)
  --config FILE          this configuration file, which is then trusted (otherwise one is looked for,
                         up to the root of the repository or the home directory)
  --list, --revoke       trust: the files that are trusted; trust this one no longer
  --stop-agents          stop: end the running agents too
  --json                 status, user list, audit verify: as JSON
  --name, --role         user add: name shown to people; viewer, operator (default) or admin
  --yes, --detach        run: approve everything that is asked; do not wait for the end
  --yes                  trust: do not ask
  --priority P           run: low, medium or high
  --status S             tasks: only those, such as blocked or in_progress,failed
  --reason TEXT          tasks, approvals: why
  --answer TEXT          approvals: the answer to a question; done or repeat for a lost call
  --any-arguments        approvals ID approve: this step, whatever the arguments
  --skip                 approvals ID reject: go on without the step
  --help, --version

Environment: KUROMAJUTSU_PORT, KUROMAJUTSU_CONFIG, KUROMAJUTSU_LOG_LEVEL, KUROMAJUTSU_DATA_DIR,
KUROMAJUTSU_BIND, KUROMAJUTSU_AUDIT_KEY_FILE, KUROMAJUTSU_TOKEN (of a person, for these commands and for mcp). docs/configuration.md says more.
`;
