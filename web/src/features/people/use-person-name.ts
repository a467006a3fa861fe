import { useCallback } from "react";
import { defineTexts, useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";

const TEXTS = defineTexts({
  ja: {
    local: "ローカル",
    agent: (id: string) => `エージェント ${id}`,
    system: "システム",
    nobody: "不明",
  },
  en: {
    local: "local",
    agent: (id) => `agent ${id}`,
    system: "the system",
    nobody: "unknown",
  },
});

/** The display name of a requester, decider or actor. Without sign-in every person is `local`. */
export function usePersonName(): (id: string | null) => string {
  const text = useTexts(TEXTS);
  return useCallback(
    (id) => {
      if (id === null) return text.nobody;
      if (id === "local") return text.local;
      if (id === "system") return text.system;
      const name = visibleName(id);
      return name.startsWith("agent:") ? text.agent(name.slice("agent:".length)) : name;
    },
    [text],
  );
}
