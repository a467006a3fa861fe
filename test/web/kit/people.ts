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

/** Entries for `auth.users`. */
export const PEOPLE = Object.entries(ROLES).map(([id, role]) => ({
  id,
  role,
  tokenHash: createHash("sha256").update(`kmj_${id}`).digest("hex"),
}));

/** The session keys of the sign-ins; the cookies are in the contexts. */
const keys = new WeakMap<BrowserContext, string>();
const signedIn = z.looseObject({ sessionKey: z.string() });

/** Signs a window in without the sign-in page, which has its own test. */
export async function signIn(context: BrowserContext, url: string, name: Name): Promise<void> {
  const answer = await context.request.post(`${url}/api/login`, {
    headers: { origin: url },
    data: { token: tokenOf(name) },
  });
  if (!answer.ok()) throw new Error(`${name} is not let in: ${await answer.text()}`);
  const { sessionKey } = signedIn.parse(await answer.json());
  keys.set(context, sessionKey);
  await context.addInitScript(
    ({ origin, key }) => {
      if (location.origin === origin) localStorage.setItem("kuromajutsu.session", key);
    },
    { origin: url, key: sessionKey },
  );
}

function headersOf(context: BrowserContext, url: string): Record<string, string> {
  return { origin: url, "x-kuromajutsu-session": keys.get(context) ?? "" };
}

/** One REST request of a signed-in person. */
export async function askAs(
  context: BrowserContext,
  url: string,
  method: string,
  path: string,
  data?: unknown,
): Promise<unknown> {
  const answer = await context.request.fetch(`${url}${path}`, {
    method,
    headers: headersOf(context, url),
    ...(data !== undefined && { data }),
  });
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${await answer.text()}`);
  return answer.json();
}

/** A signed-in person requests a task; returns the address of its first approval. */
export async function askedBy(context: BrowserContext, url: string, text: string) {
  const asked = await context.request.post(`${url}/api/tasks`, {
    headers: headersOf(context, url),
    data: { text },
  });
  const { taskId } = z.looseObject({ taskId: z.string() }).parse(await asked.json());
  let approvalId: string | undefined;
  await until(async () => {
    const seen = await context.request.get(`${url}/api/tasks/${taskId}`, {
      headers: headersOf(context, url),
    });
    approvalId = withApprovals.parse(await seen.json()).approvals[0]?.approvalId;
    return approvalId !== undefined;
  }, "something to decide");
  return `${url}/approvals/${approvalId}`;
}
