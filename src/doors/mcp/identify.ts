import type { Core, Identity } from "../../app/core.ts";
import { findPersonByToken } from "../../app/people/identify-person.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Person } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";

/** An empty token, or one a client left unexpanded (`${env:…}`), counts as none. */
export function presentToken(token: string | null | undefined): string | undefined {
  const trimmed = token?.trim();
  return trimmed === undefined || trimmed === "" || /^\$?\{.*\}$/.test(trimmed)
    ? undefined
    : trimmed;
}

/** Identifies the sender by a token: a person, or an agent while it lives. */
export async function identifyByToken(core: Core, token: string): Promise<Identity> {
  const person = core.people.findByTokenHash(core.tokens.hash(token));
  if (person) return { kind: "person", person };
  const agent = await findAgentByToken(core, token);
  if (!agent) throw deadToken();
  return agent;
}

/** The agent with this token, asked for with every call. A person's token is refused here. */
export async function requireAgent(core: Core, tokenHash: string): Promise<Identity> {
  const agent = await core.store.findAgentByTokenHash(tokenHash);
  if (agent) return identityOf(core, agent);
  throw new Refusal(
    "NOT_ALLOWED",
    "The token in KUROMAJUTSU_AGENT_TOKEN belongs to no live agent.",
    "A token dies with its agent. Put a person's token in KUROMAJUTSU_TOKEN instead.",
  );
}

export async function findAgentByToken(core: Core, token: string): Promise<Identity | undefined> {
  const agent = await core.store.findAgentByTokenHash(core.tokens.hash(token));
  return agent && identityOf(core, agent);
}

/** The person with this token; an unknown token is refused, also without sign-in. */
export function requireOwner(core: Core, token: string): Person {
  const person = findPersonByToken(core, token);
  if (person) return person;
  throw new Refusal(
    "NOT_SIGNED_IN",
    "The token in KUROMAJUTSU_TOKEN is unknown.",
    "Set it to the one `kuromajutsu user add` printed, or unset it.",
  );
}

/** An agent known by its process; it stops being anybody when it is settled. */
export async function identifyByAgent(core: Core, agentId: AgentId): Promise<Identity> {
  const agent = await core.store.getAgent(agentId);
  if (!agent || agent.process === "ended") throw deadToken();
  return identityOf(core, agent);
}

function identityOf(core: Core, agent: Agent): Identity {
  const keys = core.clientKeys.find(agent.id, agent.clientKeys) ?? {};
  const { id: agentId, role, executionId } = agent;
  return { kind: "agent", agentId, role, executionId, keys };
}

function deadToken(): Refusal {
  return new Refusal(
    "NOT_ALLOWED",
    "This token belongs to no live agent and to no person.",
    "A token dies with its agent. A person's token comes from `kuromajutsu user add`.",
  );
}

export function bearerOf(request: Request | undefined): string | undefined {
  return bearerIn(request?.headers.get("authorization"));
}

export function bearerIn(header: string | null | undefined): string | undefined {
  const found = header ? /^Bearer\s+(.*)$/i.exec(header) : null;
  return presentToken(found?.[1]);
}
