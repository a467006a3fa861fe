import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import { missingLabels } from "../../domain/workers/labels.ts";
import type { Core } from "../core.ts";
import type { AgentRequest } from "./plan-agent.ts";

type Request = Pick<AgentRequest, "labels">;

/** A request adds labels to those of its role, and removes none. */
export function labelsFor(role: Role, request: Request): readonly string[] {
  return [...new Set([...(role.labels ?? []), ...(request.labels ?? [])])].toSorted();
}

/** With several hosts an agent waits for one with its labels; without, it would wait forever. */
export function requireLabels(
  { serverId, offer }: Pick<Core, "serverId" | "offer">,
  role: Role,
  request: Request,
): void {
  if (serverId !== null) return;
  const missing = missingLabels(offer?.labels() ?? [], labelsFor(role, request));
  if (missing.length === 0) return;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      `This daemon does not have the ${missing.length === 1 ? "label" : "labels"} ${missing.join(", ")}, and there is no other host.`,
      "Leave the label out, add it to server.labels, or connect a worker that has it (docs/scale.md).",
    ],
    ja: [
      `このデーモンにはラベル ${missing.join("、")} がなく、ほかのホストもありません。`,
      "ラベルを省くか、server.labels に加えるか、そのラベルを持つワーカーをつないでください（docs/scale.ja.md）。",
    ],
  });
}
