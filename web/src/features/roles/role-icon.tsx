import {
  Bot,
  CodeXml,
  Crown,
  FileSearch,
  FileText,
  FlaskConical,
  ListTree,
  Rocket,
  ScanText,
  Search,
  SquareStack,
} from "lucide-react";
import { type ReactNode, useCallback } from "react";
import { useRoleName as useNameOf } from "../../api/role-names.ts";
import { defineTexts, useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";

const icon = { size: 16, "aria-hidden": true } as const;

const ICONS: Readonly<Record<string, ReactNode>> = {
  "impl-code": <CodeXml {...icon} />,
  "code-review": <FileSearch {...icon} />,
  "text-review": <FileText {...icon} />,
  research: <Search {...icon} />,
  "impl-test": <FlaskConical {...icon} />,
  orchestrator: <Crown {...icon} />,
  "task-analyst": <ScanText {...icon} />,
  planner: <ListTree {...icon} />,
  "process-designer": <SquareStack {...icon} />,
  executor: <Rocket {...icon} />,
};

export function RoleIcon({ role }: { readonly role: string }) {
  return ICONS[role] ?? <Bot {...icon} />;
}

/** Internal roles, which are not in the list of roles. */
const INTERNAL = defineTexts<Readonly<Record<string, string>>>({
  ja: {
    "task-analyst": "タスク分析者",
    planner: "実行方針の作成者",
    "process-designer": "ステップ設計者",
    executor: "実行者",
  },
  en: {
    "task-analyst": "Task analyst",
    planner: "Planner",
    "process-designer": "Process designer",
    executor: "Executor",
  },
});

/** The name of a role that works for a task and is not in the list of roles. */
export function useInternalName(): (role: string) => string | undefined {
  const internal = useTexts(INTERNAL);
  return useCallback((role) => internal[role], [internal]);
}

export function useRoleName(role: string): string {
  const internal = useTexts(INTERNAL);
  const nameOf = useNameOf();
  const known = useLive(({ roles }) => roles.find(({ id }) => id === role));
  return (known && nameOf(known)) ?? internal[role] ?? role;
}
