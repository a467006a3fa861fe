import { liveAgentsIn } from "../../adapters/backup/snapshot-database.ts";
import { readBootId } from "../../adapters/supervisor/processes/boot-id.ts";
import { createProcesses } from "../../adapters/supervisor/processes/process-table.ts";

/** How many agents of this database still have a process: they outlive their daemon. */
export function countRunningAgents(database: string): number {
  const processes = createProcesses();
  const bootId = readBootId();
  return liveAgentsIn(database).filter(
    (agent) => agent.bootId === bootId && processes.get(agent.pid)?.start === agent.start,
  ).length;
}
