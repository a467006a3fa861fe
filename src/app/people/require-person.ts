import {
  LOCAL_PERSON,
  mayActAs,
  type Person,
  type PersonRole,
} from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";

/** Refuses clients and agents, and people whose role is too low. */
export function requirePerson(identity: Identity, needed: PersonRole): Person {
  if (identity.kind !== "person") {
    throw new Refusal("PERSON_NEEDED", {
      en: [
        "Only a person may do this, and this client has not shown that it acts for one.",
        "Do it in the dashboard or the terminal, or connect with a token from `kuromajutsu user add`.",
      ],
      ja: [
        "これができるのは利用者だけです。このクライアントは、どの利用者のものか示していません。",
        "ダッシュボードか端末で行うか、`kuromajutsu user add` のトークンで接続してください。",
      ],
    });
  }
  const { person } = identity;
  if (mayActAs(person, needed)) return person;
  throw new Refusal("NOT_ALLOWED", {
    en: [
      `${person.name} is ${person.role}; this needs ${needed}.`,
      "Ask an admin to do it, or to change your role in auth.users.",
    ],
    ja: [
      `${person.name} の権限は ${person.role} です。これには ${needed} が要ります。`,
      "admin に頼むか、auth.users の role を変えてもらってください。",
    ],
  });
}

/**
 * The requester of a task or agent. With sign-in a client must act for a person, because without a
 * known requester `not-requester` policies would be meaningless. Without sign-in it is the local person.
 */
export function requesterOf(core: Pick<Core, "people">, identity: Identity): string {
  if (identity.kind === "agent") return `agent:${identity.agentId}`;
  requireKnownClient(core, identity);
  return identity.kind === "person" ? requirePerson(identity, "operator").id : LOCAL_PERSON.id;
}

/** With sign-in, a client needs a person's token to change anything. */
export function requireKnownClient(core: Pick<Core, "people">, identity: Identity): void {
  if (!core.people.isEnabled || identity.kind !== "client") return;
  throw new Refusal("PERSON_NEEDED", {
    en: [
      "People sign in here, and this client has not shown which person it acts for.",
      "Set KUROMAJUTSU_TOKEN of `kuromajutsu mcp` to the token that `kuromajutsu user add` printed, and connect again.",
    ],
    ja: [
      "ここではサインインが必要です。このクライアントは、どの利用者のものか示していません。",
      "`kuromajutsu mcp` の環境変数 KUROMAJUTSU_TOKEN に、`kuromajutsu user add` が表示したトークンを設定して、接続し直してください。",
    ],
  });
}

/** The actor of an audit entry. Clients are stored as "main". */
export function actorOf(identity: Identity): string {
  switch (identity.kind) {
    case "agent":
      return `agent:${identity.agentId}`;
    case "person":
      return identity.person.id;
    case "client":
      return "main";
  }
}
