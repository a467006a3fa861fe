import type { Person } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "./audit.ts";
import { requirePerson } from "./require-person.ts";

const VALID_MS = 10 * 60_000;
const CODE_BYTES = 6;

export type NewSlackCode = { readonly code: string; readonly expiresAt: number };

/** A code for one use, with which a person proves in Slack who they are. Only its hash is stored. */
export async function createSlackCode(core: Core, identity: Identity): Promise<NewSlackCode> {
  const { id } = requirePerson(identity, "viewer");
  if (!core.people.isEnabled) {
    throw new Refusal("NOT_ALLOWED", {
      en: [
        "Nobody signs in here, so there is no person to link.",
        "Add people with `kuromajutsu user add <id>`, or write {user: U…, person: local} into slack.people.",
      ],
      ja: [
        "ここではサインインを使っていないので、結び付ける利用者がいません。",
        "`kuromajutsu user add <id>` で利用者を加えるか、slack.people に {user: U…, person: local} と書いてください。",
      ],
    });
  }
  if (!core.settings.hasSlack) {
    throw new Refusal("NOT_ALLOWED", {
      en: [
        "The daemon is not connected to Slack.",
        "Set SLACK_BOT_TOKEN and SLACK_APP_TOKEN, and restart the daemon; see docs/slack.md.",
      ],
      ja: [
        "デーモンは Slack につながっていません。",
        "SLACK_BOT_TOKEN と SLACK_APP_TOKEN を設定して、デーモンを再起動してください。docs/slack.md に説明があります。",
      ],
    });
  }
  const code = core.random
    .hex(CODE_BYTES)
    .toUpperCase()
    .replace(/^(.{6})/, "$1-");
  const expiresAt = core.clock.now() + VALID_MS;
  const hash = hashOf(core, code);
  await core.store.transaction((unit) =>
    unit.insertSlackCode({ hash, purpose: "link", data: id, expiresAt }),
  );
  return { code, expiresAt };
}

export type LinkSlackUser = {
  readonly team: string;
  readonly user: string;
  readonly code: string;
};

/** Undefined: the code is unknown, used or too old. The code is used up in any case. */
export async function linkSlackUser(
  core: Core,
  { team, user, code }: LinkSlackUser,
): Promise<Person | undefined> {
  const at = core.clock.now();
  return core.store.transaction(async (unit) => {
    const taken = await unit.takeSlackCode(hashOf(core, code), at);
    const person = taken?.purpose === "link" ? core.people.find(taken.data) : undefined;
    if (!person) return undefined;
    await unit.putSlackLink({ team, user, personId: person.id, at });
    await recordAudit(core, unit, {
      actor: person.id,
      action: "slack.linked",
      subject: person.id,
      data: { team, user },
    });
    return person;
  });
}

/** People may write the code in small letters, and without the hyphen. */
function hashOf({ tokens }: Pick<Core, "tokens">, code: string): string {
  return tokens.hash(`slack-link:${code.replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase()}`);
}
