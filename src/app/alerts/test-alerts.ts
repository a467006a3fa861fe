import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { requirePerson } from "../people/require-person.ts";
import type { AlertMessage } from "../ports/alert-target.ts";
import { sendMessage, urlOf } from "./alert-message.ts";

export type TestedTarget = {
  readonly target: string;
  /** null: it was sent. */
  readonly error: string | null;
  readonly elapsedMs: number;
};

/** A target that takes longer is a failed one. */
const MAX_MS = 15_000;

/** Sends a test now, past quiet hours, digests and the outbox, and reports what happened. */
export async function testAlerts(
  core: Core,
  identity: Identity,
  to: string | undefined,
): Promise<readonly TestedTarget[]> {
  const person = requirePerson(identity, "operator").id;
  const targets = new Set(to === undefined ? targetsOf(core) : [to]);
  if (targets.size === 0) {
    throw new Refusal("INVALID_ARGUMENTS", {
      en: [
        "There are no rules for alerts, so there is no target to test.",
        "Add alerts.rules to the configuration file, or name a target such as webhook:ops.",
      ],
      ja: [
        "アラートのルールがないので、試す送り先がありません。",
        "設定ファイルに alerts.rules を書くか、webhook:ops のように送り先を指定してください。",
      ],
    });
  }
  return Promise.all([...targets].map((target) => testTarget(core, target, person)));
}

function targetsOf({ settings }: Core): readonly string[] {
  return settings.alerts.rules.flatMap((rule) => rule.to);
}

async function testTarget(core: Core, target: string, person: string): Promise<TestedTarget> {
  const began = core.clock.now();
  const address = target === "slack:requester" ? `slack:person:${person}` : target;
  const signal = AbortSignal.timeout(MAX_MS);
  const result = await sendMessage(core, address, testMessage(core, person), signal);
  const elapsedMs = core.clock.now() - began;
  return { target, error: result.isSent ? null : result.reason, elapsedMs };
}

function testMessage(core: Core, person: string): AlertMessage {
  const { locale } = core.settings.alerts;
  const at = core.clock.now();
  const path = "/settings";
  return {
    id: `msg-${core.random.ulid(at)}`,
    locale,
    at,
    isTest: true,
    alerts: [
      {
        id: `alr-${core.random.ulid(at)}`,
        kind: "task.completed",
        taskId: null,
        groupId: null,
        agentId: null,
        approvalId: null,
        title: "Test",
        detail: null,
        requester: person,
        recipients: [person],
        createdAt: at,
        path,
        url: urlOf(core.settings, path),
      },
    ],
  };
}
