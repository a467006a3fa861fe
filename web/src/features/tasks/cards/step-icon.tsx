import {
  CircleCheck,
  CircleHelp,
  CircleX,
  LoaderCircle,
  OctagonPause,
  ScanSearch,
  Square,
} from "lucide-react";
import type { ReactNode } from "react";
import type { WireStepState } from "../../../api/task-detail.ts";

const icon = { size: 16, "aria-hidden": true } as const;

const ICONS: Record<WireStepState["status"], ReactNode> = {
  waiting: <Square {...icon} className="text-text-3" />,
  running: <LoaderCircle {...icon} className="animate-spin text-running" />,
  waiting_for_human: <ScanSearch {...icon} className="text-pending" />,
  done: <CircleCheck {...icon} className="text-success" />,
  failed: <CircleX {...icon} className="text-failed" />,
  rejected: <CircleX {...icon} className="text-failed" />,
  stopped: <OctagonPause {...icon} className="text-blocked" />,
  outcome_unknown: <CircleHelp {...icon} className="text-timeout" />,
};

export function StepIcon({ status }: { readonly status: WireStepState["status"] }) {
  return ICONS[status];
}
