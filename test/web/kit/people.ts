import { createHash } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { z } from "zod";
import { until } from "./daemon.ts";

const ROLES = { alice: "admin", bob: "operator", victor: "viewer" } as const;

const withApprovals = z.looseObject({
  approvals: z.array(z.looseObject({ approvalId: z.string() })),
});

type Name = keyof typeof ROLES;

export const tokenOf = (name: Name) => `kmj_${name}`;

/** For `auth.users`. */
export const PEOPLE = Object.entries(ROLES).map(([id, role]) => ({
  id,
  role,
  tokenHash: createHash("sha256").update(`kmj_${id}`).digest("hex"),
}));

/** This window's cookie says who looks. How people sign in by hand is another test's. */
export async function signIn(context: BrowserContext, url: string, name: Name): Promise<void> {
  const answer = await context.request.post(`${url}/api/login`, {
    headers: { origin: url },
    data: { token: tokenOf(name) },
  });
  if (!answer.ok()) throw new Error(`${name} is not let in: ${await answer.text()}`);
}

/** Somebody who has signed in asks for a task; the address of its first approval. */
export async function askedBy(context: BrowserContext, url: string, text: string) {
  const asked = await context.request.post(`${url}/api/tasks`, {
    headers: { origin: url },
    data: { text },
  });
  const { taskId } = z.looseObject({ taskId: z.string() }).parse(await asked.json());
  let approvalId: string | undefined;
  await until(async () => {
    const seen = await context.request.get(`${url}/api/tasks/${taskId}`);
    approvalId = withApprovals.parse(await seen.json()).approvals[0]?.approvalId;
    return approvalId !== undefined;
  }, "something to decide");
  return `${url}/approvals/${approvalId}`;
}
