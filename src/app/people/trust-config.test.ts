import { expect, test } from "vitest";
import { aRoleCore } from "../../../test/kit/role-core.ts";
import type { FileTrust } from "../../contract/shapes/trust.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type Core, type Identity, LOCAL_USER } from "../core.ts";
import { trustConfig } from "./trust-config.ts";

const SHOWN: FileTrust = {
  path: "/clone/kuromajutsu.config.yaml",
  hash: "shown",
  powers: [{ kind: "server", name: "x", lines: ["$ sh"], isTrusted: false }],
  rules: ["tasks.approval: anyone"],
  inUse: "u",
  problem: null,
  command: "kuromajutsu trust",
};

async function aCoreWithTrust() {
  const trusted: string[] = [];
  const base = await aRoleCore("locale: en\n");
  const core: Core = {
    ...base,
    trust: {
      now: () => SHOWN,
      async trust(hash) {
        if (hash !== SHOWN.hash)
          throw new Refusal("VERSION_CONFLICT", {
            en: ["It has changed.", ""],
            ja: ["It has changed.", ""],
          });
        trusted.push(hash);
      },
    },
  };
  return { core, trusted, published: base.published };
}

const person = (role: "viewer" | "operator"): Identity => ({
  kind: "person",
  cwd: null,
  keys: {},
  person: { id: "ben", name: "ben", role },
});

test("an admin trusts what was shown; it is audited and announced to all clients", async () => {
  const { core, trusted, published } = await aCoreWithTrust();

  const answer = await trustConfig(core, LOCAL_USER, { hash: "shown" });

  // Nothing of what the file says: the answer is kept for a repeated request.
  expect(answer).toEqual({ path: SHOWN.path, hash: "shown" });
  expect(trusted).toEqual(["shown"]);
  expect((await core.store.listAudit({ limit: 1 })).entries).toMatchObject([
    {
      actor: "local",
      action: "config.trusted",
      subject: SHOWN.path,
      data: { hash: "shown", powers: ["server x"] },
    },
  ]);
  expect(published).toMatchObject([{ type: "config:updated", data: { change: "trusted" } }]);
});

test.each<[string, Identity, string]>([
  ["an operator", person("operator"), "NOT_ALLOWED"],
  ["a viewer", person("viewer"), "NOT_ALLOWED"],
  ["a client that acts for no person", { kind: "client", cwd: null, keys: {} }, "PERSON_NEEDED"],
  ["an agent", { kind: "agent", agentId: "impl-code-1-a", role: "impl-code" }, "PERSON_NEEDED"],
])("%s cannot", async (_name, identity, code) => {
  const { core, trusted } = await aCoreWithTrust();

  await expect(trustConfig(core, identity, { hash: "shown" })).rejects.toMatchObject({ code });

  expect(trusted).toEqual([]);
});

test("another hash than that of the file trusts nothing", async () => {
  const { core, trusted } = await aCoreWithTrust();

  const refused = trustConfig(core, LOCAL_USER, { hash: "older" });

  await expect(refused).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
  expect(trusted).toEqual([]);
  expect((await core.store.listAudit({ limit: 1 })).entries).toEqual([]);
});
