import { noteHello } from "../../app/agents/record-hello.ts";
import type { Core, Identity } from "../../app/core.ts";
import { findPersonByToken } from "../../app/people/identify-person.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Person } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";

/** An empty token, or one that a client left unexpanded (`${env:…}`), counts as no token. */
export function presentToken(token: string | null | undefined): string | undefined {
  const trimmed = token?.trim();
  return trimmed === undefined || trimmed === "" || /^\$?\{.*\}$/.test(trimmed)
    ? undefined
    : trimmed;
}

/** A token identifies a person, or an agent until it is settled. */
export async function identifyByToken(core: Core, token: string): Promise<Identity> {
  const person = core.people.findByTokenHash(core.tokens.hash(token));
  if (person) return { kind: "person", person };
  const agent = await findAgentByToken(core, token);
  if (!agent) throw deadToken();
  return agent;
}

/** Looked up for every call, because a token dies with its agent. Refuses a person's token. */
export async function requireAgentByToken(core: Core, tokenHash: string): Promise<Identity> {
  const agent = await core.store.findAgentByTokenHash(tokenHash);
  if (agent) return identityOf(core, agent);
  throw new Refusal("NOT_ALLOWED", {
    en: [
      "The token in KUROMAJUTSU_AGENT_TOKEN belongs to no live agent.",
      "A token dies with its agent. Put a person's token in KUROMAJUTSU_TOKEN instead.",
    ],
    ja: [
      "KUROMAJUTSU_AGENT_TOKEN のトークンを持つ実行中のエージェントはありません。",
      "このトークンは、エージェントが終わると無効になります。利用者のトークンは KUROMAJUTSU_TOKEN に設定してください。",
    ],
  });
}

export async function findAgentByToken(core: Core, token: string): Promise<Identity | undefined> {
  const agent = await core.store.findAgentByTokenHash(core.tokens.hash(token));
  return agent && identityOf(core, agent);
}

/** Refuses an unknown token, also without sign-in. */
export function requirePersonByToken(core: Core, token: string): Person {
  const person = findPersonByToken(core, token);
  if (person) return person;
  throw new Refusal("NOT_SIGNED_IN", {
    en: [
      "The token in KUROMAJUTSU_TOKEN is unknown.",
      "Set it to the one `kuromajutsu user add` printed, or unset it.",
    ],
    ja: [
      "KUROMAJUTSU_TOKEN のトークンは登録されていません。",
      "`kuromajutsu user add` が表示したトークンを設定するか、変数を消してください。",
    ],
  });
}

/** An agent identified by its process, until it has ended. */
export async function identifyByAgent(core: Core, agentId: AgentId): Promise<Identity> {
  const agent = await core.store.getAgent(agentId);
  if (!agent || agent.process === "ended") throw deadToken();
  return identityOf(core, agent);
}

function identityOf(core: Core, agent: Agent): Identity {
  noteHello(core, agent);
  const keys = core.clientKeys.find(agent.id, agent.clientKeys) ?? {};
  const { id: agentId, role, executionId } = agent;
  return { kind: "agent", agentId, role, executionId, keys };
}

function deadToken(): Refusal {
  return new Refusal("NOT_ALLOWED", {
    en: [
      "This token belongs to no live agent and to no person.",
      "A token dies with its agent. A person's token comes from `kuromajutsu user add`.",
    ],
    ja: [
      "このトークンを持つ実行中のエージェントも利用者もありません。",
      "エージェントのトークンは、エージェントが終わると無効になります。利用者のトークンは `kuromajutsu user add` で作れます。",
    ],
  });
}

export function bearerOf(request: Request | undefined): string | undefined {
  return bearerIn(request?.headers.get("authorization"));
}

export function bearerIn(header: string | null | undefined): string | undefined {
  const found = header ? /^Bearer\s+(.*)$/i.exec(header) : null;
  return presentToken(found?.[1]);
}
