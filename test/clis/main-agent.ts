import { setTimeout as sleep } from "node:timers/promises";
import type { Action, ToolResult, Turn } from "../kit/mock-llm/script.ts";

const ROLES = ["impl-code", "impl-test", "code-review"];
const AGENT_ID = /(?:impl-code|impl-test|code-review)-\d+-[0-9a-f]{4}/g;
const GROUP_ID = /grp-\d+-[0-9a-f]{4}/;
/** Clients show errors as JSON inside JSON. */
const QUOTE = String.raw`\\*"`;
const WAIT_MORE = new RegExp(`${QUOTE}waitMore${QUOTE}:\\s*true`);
const CURSOR = new RegExp(`${QUOTE}cursor${QUOTE}:\\s*${QUOTE}([\\w.:-]+)`);
const COMPLETED = new RegExp(`${QUOTE}completed${QUOTE}:`);

export type MainAgent = {
  /** The prompt of the three agents. */
  readonly prompt: string;
  /** For clients that ignore progress: below their limit for one call. */
  readonly maxBlockMs?: number | undefined;
};

/**
 * The model of a main agent that follows the README: it runs three agents, waits for them, reads
 * their results and deletes the group. When a call fails, it calls again, as the hint says.
 */
export function mainAgent({ prompt, maxBlockMs }: MainAgent) {
  return async ({ results }: Pick<Turn, "results">): Promise<readonly Action[]> => {
    const said = results.map(({ text }) => text ?? "").join("\n");
    const groupId = GROUP_ID.exec(said)?.[0];
    if (groupId === undefined) return call("create_group", { description: "three greetings" });
    const agentIds = [...new Set(said.match(AGENT_ID))];
    if (agentIds.length === 0) {
      const agents = ROLES.map((role) => ({ role, prompt, workingDirectory: "/" }));
      return call("run_agents", { groupId, agents });
    }
    const last = results.at(-1);
    if (isAnswered(results, "delete_group", /deleted/))
      return [{ say: "All three have finished." }];
    if (isAnswered(results, "get_agent_status", /summary/))
      return call("delete_group", { groupId });
    const waits = results.filter(({ tool, text }) => tool === "wait_agent" && isWait(text));
    const newest = waits.at(-1)?.text ?? "";
    if (waits.length > 0 && !WAIT_MORE.test(newest)) return call("get_agent_status", { agentIds });
    // The daemon may be starting. The number differs, because Gemini ends a model that repeats itself.
    if (last?.tool === "wait_agent" && !isWait(last.text)) await sleep(1_000);
    const cursor = CURSOR.exec(newest)?.[1];
    const block = (maxBlockMs ?? 600_000) + results.length;
    return call("wait_agent", { agentIds, maxBlock_ms: block, ...(cursor && { cursor }) });
  };
}

const call = (tool: string, input: Record<string, unknown>): readonly Action[] => [
  { call: tool, input },
];

const isWait = (text: string | null) => COMPLETED.test(text ?? "");

function isAnswered(results: readonly ToolResult[], tool: string, answer: RegExp): boolean {
  return results.some((each) => each.tool === tool && answer.test(each.text ?? ""));
}
