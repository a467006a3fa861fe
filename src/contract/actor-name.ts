import type { Locale } from "../domain/locale.ts";

const WORDS = {
  ja: {
    local: "あなた (local)",
    system: "システム",
    client: "MCP クライアント",
    unknown: "不明",
    agent: (id: string) => `エージェント ${id}`,
  },
  en: {
    local: "you (local)",
    system: "the system",
    client: "an MCP client",
    unknown: "unknown",
    agent: (id: string) => `agent ${id}`,
  },
};

const AGENT = "agent:";

/** The name of a requester, a decider or the actor of an audit entry. Without sign-in every person is `local`. */
export function actorName(locale: Locale, id: string | null): string {
  const words = WORDS[locale];
  switch (id) {
    case null:
    case "unknown":
      return words.unknown;
    case "local":
      return words.local;
    case "system":
      return words.system;
    case "main":
      return words.client;
    default:
      return id.startsWith(AGENT) ? words.agent(id.slice(AGENT.length)) : id;
  }
}
