import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aConfigFile } from "../../../test/kit/config-file.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { inEach } from "../../domain/locale.ts";
import { ConfigError } from "./config-error.ts";
import { loadConfig } from "./load-config.ts";

const SECRET = "s3cr3t-Passwort";
const LOCAL = `postgres://kuro:${SECRET}@127.0.0.1:5432/kuro`;

function load(settings: unknown, env: Record<string, string> = {}) {
  return loadConfig({ path: aConfigFile(JSON.stringify(settings)), explicit: true, env });
}

async function refusalOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw new Error(`Not refused: ${String(error)}`);
  const both = inEach((locale) => error.texts[locale]);
  return `${both.en}\n${both.ja}`;
}

test("without an address everything is in SQLite", async () => {
  const { config } = await load({});

  expect(config.store).toEqual({ connections: 10, lease_ms: 10_000 });
});

test("the address comes from the variable, else from the file, else from the file that it names", async () => {
  const dir = aTempDir();
  const file = join(dir, "url");
  writeFileSync(file, `${LOCAL}\n`);
  const other = LOCAL.replace("/kuro", "/other");

  const named = await load({ store: { urlFile: file, connections: 3 } });
  const written = await load({ store: { url: LOCAL } });
  const fromEnv = await load({ store: { url: LOCAL } }, { KUROMAJUTSU_DATABASE_URL: other });
  const empty = await load({ store: { url: LOCAL } }, { KUROMAJUTSU_DATABASE_URL: "" });

  expect(named.config.store).toEqual({ url: LOCAL, connections: 3, lease_ms: 10_000 });
  expect(written.config.store.url).toBe(LOCAL);
  expect(fromEnv.config.store.url).toBe(other);
  expect(empty.config.store.url).toBe(LOCAL);
  expect(fromEnv.notes.join()).toContain("KUROMAJUTSU_DATABASE_URL");
  expect(fromEnv.notes.join()).not.toContain(SECRET);
});

test.each([
  `postgres://kuro:${SECRET}@127.0.0.1/kuro`,
  `postgresql://kuro:${SECRET}@localhost:5433/kuro?sslmode=disable`,
  `postgres://kuro:${SECRET}@[::1]/kuro`,
  `postgres://kuro:${SECRET}@/kuro?host=/var/run/postgresql&port=5432`,
  `postgres://kuro:${SECRET}@%2Fvar%2Frun%2Fpostgresql/kuro`,
  `postgres://kuro:${SECRET}@db.example.com/kuro?sslmode=verify-full`,
  `postgres://kuro:${SECRET}@db.example.com/kuro?sslmode=verify-full&sslrootcert=/ca.pem`,
])("store.url accepts %s", async (url) => {
  expect((await load({ store: { url } })).config.store.url).toBe(url);
});

describe.each([
  ["mysql://kuro:PW@127.0.0.1/kuro", "is not the address of a PostgreSQL"],
  ["kuro:PW@127.0.0.1/kuro", "is not the address of a PostgreSQL"],
  ["", "is not the address of a PostgreSQL"],
  ["postgres://kuro:PW/x@127.0.0.1/kuro", "is not the address of a PostgreSQL"],
  ["postgres://kuro:PW%@127.0.0.1/kuro", "is not the address of a PostgreSQL"],
  ["postgres:///kuro?password=PW", "names no host"],
  ["postgres://kuro:PW@/kuro", "names no host"],
  ["postgres://kuro:PW@127.0.0.1", "names no database"],
  ["postgres://kuro:PW@db.example.com/kuro", "sslmode=verify-full"],
  ["postgres://kuro:PW@db.example.com/kuro?sslmode=require", "sslmode=verify-full"],
  ["postgres://kuro:PW@db.example.com/kuro?sslmode=verify-full&sslmode=disable", "verify-full"],
  ["postgres://kuro:PW@127.0.0.1/kuro?host=db.example.com", "sslmode=verify-full"],
  ["postgres://kuro:PW@127.evil.example/kuro", "sslmode=verify-full"],
])("the address %s is refused with what to do", (text, expected) => {
  const url = text.replace("PW", SECRET);

  test("in the file", async () => {
    const said = await refusalOf(load({ store: { url } }));
    expect(said).toContain(expected);
    expect(said).toContain("store.url");
    expect(said).not.toContain(SECRET);
  });
  test.runIf(url)("in the variable", async () => {
    const said = await refusalOf(load({}, { KUROMAJUTSU_DATABASE_URL: url }));
    expect(said).toContain(expected);
    expect(said).toContain("KUROMAJUTSU_DATABASE_URL");
    expect(said).not.toContain(SECRET);
  });
});

test.each([
  [{ store: LOCAL }, "store"],
  [{ store: { url: [LOCAL] } }, "store.url"],
  [{ store: { uri: LOCAL } }, "store.uri"],
  [{ stor: { url: LOCAL } }, "stor"],
  [{ store: { url: LOCAL, urlFile: "x" } }, "remove one"],
  [{ store: { urlFile: "/nowhere/url" } }, "ENOENT"],
  [{ store: { url: LOCAL, connections: 0 } }, "from 2 to 500"],
])("a problem of %j never shows the password", async (settings, expected) => {
  const said = await refusalOf(load(settings));

  expect(said).toContain(expected);
  expect(said).not.toContain(SECRET);
});

test("a syntax error in the line of the address does not show the password", async () => {
  const path = aConfigFile(`store:\n  url: "${LOCAL}\n`);

  const said = await refusalOf(loadConfig({ path, explicit: true, env: {} }));

  expect(said).toContain("YAML");
  expect(said).not.toContain(SECRET);
});
