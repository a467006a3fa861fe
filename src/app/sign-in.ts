import type { Person } from "../domain/person.ts";
import { Refusal } from "../domain/refusal.ts";
import { auditIn } from "./audit.ts";
import type { Core } from "./core.ts";

const KEEP_MS = 30 * 86_400_000;
/** In no id of a person and in no secret. */
const BETWEEN = "~";

export type SignIn = {
  readonly token: string;
  /** From where, for the audit. */
  readonly address: string;
};
export type SignedIn = {
  readonly person: Person;
  /** What the browser keeps; here only its hash is. */
  readonly cookie: string;
  readonly maxAgeMs: number;
};

/** A token becomes a cookie, so that a browser need not keep the token. */
export async function signIn(core: Core, { token, address }: SignIn): Promise<SignedIn> {
  const person = core.people.findByTokenHash(core.tokens.hash(token));
  if (!person) {
    await core.store.transaction((unit) =>
      auditIn(core, unit, {
        actor: "unknown",
        action: "person.sign_in_failed",
        subject: "sign-in",
        data: { address },
      }),
    );
    throw new Refusal(
      "NOT_SIGNED_IN",
      "This token is nobody's.",
      "Use the token `kuromajutsu user add` printed; `kuromajutsu user token <id>` makes a new one.",
    );
  }
  const cookie = `${person.id}${BETWEEN}${core.tokens.create()}`;
  const now = core.clock.now();
  await core.store.transaction(async (unit) => {
    await unit.deleteSignInsExpiredAt(now);
    await unit.insertSignIn({
      hash: hashOf(core, cookie),
      personId: person.id,
      createdAt: now,
      expiresAt: now + KEEP_MS,
    });
    const { id } = person;
    const data = { address };
    await auditIn(core, unit, { actor: id, action: "person.signed_in", subject: id, data });
  });
  return { person, cookie, maxAgeMs: KEEP_MS };
}

/** Whose cookie this is, while it counts. Who was taken out of the configuration is nobody. */
export async function findPersonByCookie(core: Core, cookie: string): Promise<Person | undefined> {
  const signedIn = await core.store.getSignIn(hashOf(core, cookie));
  if (!signedIn || signedIn.expiresAt <= core.clock.now()) return undefined;
  return core.people.find(signedIn.personId);
}

export async function signOut(core: Core, cookie: string): Promise<void> {
  const person = await findPersonByCookie(core, cookie);
  await core.store.transaction(async (unit) => {
    await unit.deleteSignIn(hashOf(core, cookie));
    if (!person) return;
    const { id } = person;
    await auditIn(core, unit, { actor: id, action: "person.signed_out", subject: id });
  });
}

/** With the token's hash in it: a new token, or somebody new of the same name, ends it. */
function hashOf({ people, tokens }: Core, cookie: string): string {
  const [id = ""] = cookie.split(BETWEEN, 1);
  return tokens.hash(`${cookie}${BETWEEN}${people.tokenHashOf(id) ?? ""}`);
}
