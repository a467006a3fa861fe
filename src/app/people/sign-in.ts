import type { Person } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import { recordAudit } from "./audit.ts";

const KEEP_MS = 30 * 86_400_000;
/** Occurs neither in ids of people nor in secrets. */
const BETWEEN = "~";

export type SignIn = {
  readonly token: string;
  /** The client's address, for the audit. */
  readonly address: string;
};
/**
 * A browser must send both. Cookies go to every server on the same host name, so the cookie is
 * worthless without the key, which only pages of our origin have.
 */
export type Session = { readonly cookie: string; readonly key: string };
export type SignedIn = {
  readonly person: Person;
  /** Kept by the browser; the store has only a hash of both values. */
  readonly session: Session;
  readonly maxAgeMs: number;
};

/** Exchanges a token for a session, so that a browser need not keep the token. */
export async function signIn(core: Core, { token, address }: SignIn): Promise<SignedIn> {
  const person = core.people.findByTokenHash(core.tokens.hash(token));
  if (!person) {
    throw new Refusal("NOT_SIGNED_IN", {
      en: [
        "This token is unknown.",
        "Use the token `kuromajutsu user add` printed; `kuromajutsu user token <id>` makes a new one.",
      ],
      ja: [
        "このトークンは登録されていません。",
        "`kuromajutsu user add` が表示したトークンを使ってください。`kuromajutsu user token <id>` で作り直せます。",
      ],
    });
  }
  const cookie = `${person.id}${BETWEEN}${core.tokens.create()}`;
  const session = { cookie, key: core.tokens.create() };
  const now = core.clock.now();
  await core.store.transaction(async (unit) => {
    await unit.deleteSignInsExpiredAt(now);
    await unit.insertSignIn({
      hash: hashOf(core, session),
      personId: person.id,
      createdAt: now,
      expiresAt: now + KEEP_MS,
    });
    const { id } = person;
    const data = { address };
    await recordAudit(core, unit, { actor: id, action: "person.signed_in", subject: id, data });
  });
  return { person, session, maxAgeMs: KEEP_MS };
}

/** The person behind a session; undefined if it has expired or they left `auth.users`. */
export async function findPersonBySession(
  core: Core,
  session: Session,
): Promise<Person | undefined> {
  const signedIn = await core.store.getSignIn(hashOf(core, session));
  if (!signedIn || signedIn.expiresAt <= core.clock.now()) return undefined;
  return core.people.find(signedIn.personId);
}

/** Ends a session. False: there is none, and nothing was written. */
export async function signOut(core: Core, session: Session): Promise<boolean> {
  const person = await findPersonBySession(core, session);
  if (!person) return false;
  const { id } = person;
  await core.store.transaction(async (unit) => {
    await unit.deleteSignIn(hashOf(core, session));
    await recordAudit(core, unit, { actor: id, action: "person.signed_out", subject: id });
    if (core.serverId === null) return;
    const at = core.clock.now();
    unit.emitTransient({ type: "person:signed_out", groupId: null, agentId: null, data: {}, at });
  });
  return true;
}

/** Contains the token's hash: a new token, or a new person with the same id, ends the session. */
function hashOf({ people, tokens }: Core, { cookie, key }: Session): string {
  const [id = ""] = cookie.split(BETWEEN, 1);
  return tokens.hash(JSON.stringify([cookie, key, people.tokenHashOf(id) ?? ""]));
}
