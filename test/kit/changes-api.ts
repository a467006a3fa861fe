import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { changeShape } from "../../src/contract/shapes/changes.ts";
import { mergeShape } from "../../src/contract/shapes/merges.ts";
import { readDaemonFile, type Place } from "./daemon.ts";

export type RestAnswer = { readonly status: number; readonly body: unknown };

/** Requests to the daemon that serves now; throws while there is none. */
export async function ask(
  place: Place,
  method: string,
  path: string,
  body?: unknown,
): Promise<RestAnswer> {
  const url = readDaemonFile(place)?.url;
  if (url === undefined) throw new Error("No daemon serves.");
  const response = await fetch(url + path, {
    method,
    headers: { "x-kuromajutsu": "1", "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** The body of an answer that must be a success. */
export async function demand(
  place: Place,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await ask(place, method, path, body);
  if (answer.status >= 400) {
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

/** Tries again until the work succeeds: the daemon may be killed at any moment. */
export async function persist<T>(work: () => Promise<T>, withinMs = 240_000): Promise<T> {
  for (const giveUpAt = Date.now() + withinMs; ;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(100);
    }
  }
}

const approvalShape = z.object({ status: z.string(), version: z.number() });

/** Takes a change as far as it gets: asks for a merge, approves it, and waits until it has landed. */
export async function landChange(place: Place, agentId: string, target: string): Promise<void> {
  const change = changeShape.parse(await demand(place, "GET", `/api/changes/${agentId}`));
  if (change.workspace.outcome === "merged") return;
  const open = change.merges.find(
    ({ status }) => !["cancelled", "rejected", "undone"].includes(status),
  );
  const merge = mergeShape.parse(
    open ??
      (await demand(place, "POST", `/api/changes/${agentId}/merge`, {
        version: change.version,
        target,
      })),
  );
  if (merge.status === "awaiting_approval") {
    const path = `/api/approvals/${merge.approvalId}`;
    const { version } = approvalShape.parse(await demand(place, "GET", path));
    await demand(place, "POST", `${path}/decision`, { decision: "approve", version });
  }
  throw new Error(`The change of ${agentId} has not landed: ${merge.status}.`);
}
