import {
  ClipboardList,
  Clock,
  FileText,
  FlaskConical,
  GitMerge,
  Layers,
  PenLine,
  Search,
  ShieldCheck,
  Users,
} from "lucide-react";
import type { WireTemplateSummary } from "../../../../src/contract/shapes/templates.ts";

const ICONS = {
  clipboard: ClipboardList,
  clock: Clock,
  "file-text": FileText,
  flask: FlaskConical,
  "git-merge": GitMerge,
  layers: Layers,
  pen: PenLine,
  search: Search,
  shield: ShieldCheck,
  users: Users,
} as const;

export function TemplateIcon({ icon }: Pick<WireTemplateSummary, "icon">) {
  const Icon = ICONS[icon];
  return <Icon size={18} aria-hidden />;
}
