import { useCallback } from "react";
import { useMe } from "../../api/use-me.ts";
import { defineTexts, useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";

const TEXTS = defineTexts({
  ja: {
    you: "あなた (local)",
    agent: (id: string) => `エージェント ${id}`,
    system: "システム",
    nobody: "不明",
  },
  en: {
    you: "you (local)",
    agent: (id) => `agent ${id}`,
    system: "the system",
    nobody: "unknown",
  },
});

/**
 * The display name of a requester, decider or actor. Without sign-in every person is `local`; with it,
 * `local` is a person of the time before.
 */
export function usePersonName(): (id: string | null) => string {
  const text = useTexts(TEXTS);
  const hasSignIn = useMe()?.signIn === true;
  return useCallback(
    (id) => {
      if (id === null) return text.nobody;
      if (id === "local") return hasSignIn ? id : text.you;
      if (id === "system") return text.system;
      const name = visibleName(id);
      return name.startsWith("agent:") ? text.agent(name.slice("agent:".length)) : name;
    },
    [text, hasSignIn],
  );
}
