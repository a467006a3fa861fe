import { expect, test } from "vitest";
import { aCore } from "../../../test/kit/core.ts";
import type { FileTrust } from "../../contract/shapes/trust.ts";
import { auditTrust } from "./audit-trust.ts";

const file = (inUse: string | null, ...trusted: readonly string[]): FileTrust => ({
  path: "/clone/kuromajutsu.config.yaml",
  hash: "h",
  powers: [
    ...trusted.map((name) => ({ kind: "server" as const, name, lines: [], isTrusted: true })),
    { kind: "server", name: "other", lines: ["$ sh"], isTrusted: false },
  ],
  rules: [],
  inUse,
  problem: null,
  command: "kuromajutsu trust",
});

test("every change of what is trusted is recorded once, also that nothing is trusted any more", async () => {
  const core = await aCore();

  for (const each of [
    null,
    file(null),
    file("1", "x"),
    file("1", "x"),
    // The same name with another content.
    file("2", "x"),
    file(null),
    file(null),
  ]) {
    await auditTrust(core, each);
  }

  const { entries } = await core.store.listAudit({ limit: 10 });
  expect(entries.toReversed()).toMatchObject([
    {
      actor: "system",
      action: "config.trust_changed",
      subject: "/clone/kuromajutsu.config.yaml",
      data: { inUse: "1", powers: ["server x"] },
    },
    { data: { inUse: "2", powers: ["server x"] } },
    { data: { inUse: null, powers: [] } },
  ]);
});
