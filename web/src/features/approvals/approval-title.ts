import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import { defineTexts, useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";

const TEXTS = defineTexts({
  ja: {
    prompt: (version: number, task: string) => `実行方針 v${version}: ${task}`,
    process: (version: number, task: string) => `実行ステップ v${version}: ${task}`,
    unplanned: (tool: string) => `ステップにないツール ${tool} を使おうとしています`,
    call: (tool: string) => `エージェントがツール ${tool} を使おうとしています`,
    outcome: (tool: string) => `${tool} の結果が失われました。実行されていましたか？`,
    merge: (version: number, target: string) => `変更 v${version} を ${target} に取り込みますか？`,
  },
  en: {
    prompt: (version, task) => `Prompt v${version}: ${task}`,
    process: (version, task) => `Steps v${version}: ${task}`,
    unplanned: (tool) => `An agent wants to call ${tool}, which is not in the steps`,
    call: (tool) => `An agent wants to call ${tool}`,
    outcome: (tool) => `The response of ${tool} was lost. Did the call take effect?`,
    merge: (version, target) => `Merge version ${version} of a change into ${target}?`,
  },
});

type Titled = Pick<WireApproval, "kind" | "taskId" | "title" | "shown">;

/** Replaces the daemon's titles, which are in its own language. Texts of agents and people stay. */
function titleIn({ kind, taskId, title, shown }: Titled, text: (typeof TEXTS)["ja"]): string {
  const { version, tool } = shown;
  switch (kind) {
    case "prompt":
    case "process": {
      const task = typeof shown["title"] === "string" ? shown["title"] : taskId;
      return typeof version === "number" && task !== null ? text[kind](version, task) : title;
    }
    case "unplanned_tool":
      return typeof tool === "string" ? text.unplanned(tool) : title;
    case "call":
    case "outcome":
      return typeof tool === "string" ? text[kind](tool) : title;
    case "merge": {
      const { target } = shown;
      const isKnown = typeof version === "number" && typeof target === "string";
      return isKnown ? text.merge(version, target) : title;
    }
    case "step":
    case "question":
      return title;
  }
}

export const APPROVAL_TITLE = {
  ja: (approval: Titled) => visibleName(titleIn(approval, TEXTS.ja)),
  en: (approval: Titled) => visibleName(titleIn(approval, TEXTS.en)),
} as const;

/** The title of an approval in the language of the page. */
export function useApprovalTitle(): (approval: Titled) => string {
  return useTexts(APPROVAL_TITLE);
}
