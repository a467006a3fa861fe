import {
  CircleHelp,
  FileText,
  GitMerge,
  ListChecks,
  MessageCircleQuestion,
  ScanSearch,
  ShieldQuestion,
  Wrench,
} from "lucide-react";
import type { ReactNode } from "react";
import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";

const icon = { size: 15, "aria-hidden": true } as const;

const ICONS: Record<WireApproval["kind"], ReactNode> = {
  prompt: <FileText {...icon} />,
  process: <ListChecks {...icon} />,
  step: <ScanSearch {...icon} />,
  unplanned_tool: <Wrench {...icon} />,
  call: <ShieldQuestion {...icon} />,
  question: <MessageCircleQuestion {...icon} />,
  outcome: <CircleHelp {...icon} />,
  merge: <GitMerge {...icon} />,
};

export function KindIcon({ kind }: { readonly kind: WireApproval["kind"] }) {
  return ICONS[kind];
}
