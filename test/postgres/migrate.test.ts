import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { expect, test } from "vitest";
import { MIGRATIONS } from "../../src/adapters/store/postgres/migrations/migrations.ts";
import { aDaemon, aPlace, command } from "../kit/daemon.ts";
import { aFreePort } from "../kit/free-port.ts";
import { aMigratedUrl, aPlaceOn } from "../kit/postgres/daemon-place.ts";
import { aDatabase, tcpUrl } from "../kit/postgres/database.ts";
import { hostRows, leftBehind } from "../kit/postgres/left-behind.ts";
import { PASSWORD } from "../kit/postgres/urls.ts";

const ALL = Object.keys(MIGRATIONS).length;
/** The output is wrapped at the width of a terminal. */
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test("six migrate commands at once create the tables once, and a seventh finds nothing to do", async () => {
  const url = tcpUrl(await aDatabase());
  const place = aPlaceOn(url);

  const six = await Promise.all(Array.from({ length: 6 }, () => command(place, ["migrate"])));
  const seventh = await command(place, ["migrate"]);

  expect(six.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    six.map(() => ({ code: 0, stderr: "" })),
  );
  const names = six.flatMap(({ stdout }) =>
    stdout.split("\n").filter((line) => /^\d{4}-/.test(line)),
  );
  expect(names).toHaveLength(ALL);
  expect(inOneLine(seventh.stdout)).toMatch(/the tables are those of this version/);
  expect(JSON.stringify([...six, seventh])).not.toContain(encodeURIComponent(PASSWORD));
});

test("migrate without store.url says that SQLite needs nothing", async () => {
  const { code, stdout } = await command(aPlace({ LANG: "en_US.UTF-8" }), ["migrate"]);

  expect(code).toBe(0);
  expect(inOneLine(stdout)).toContain("Nothing to do: the data is in SQLite");
});

test.each(["serve", "migrate"])(
  "%s says what is wrong with the database and what to do, without the password",
  async (name) => {
    const good = tcpUrl(await aDatabase());
    const port = await aFreePort();
    const wrong = {
      "does not answer (ECONNREFUSED)": good.replace(/:\d+\//, `:${port}/`),
      "the user or the password of store.url (28P01)": good.replace(
        encodeURIComponent(PASSWORD),
        "wrong-Passwort",
      ),
      "does not exist (3D000)": good.replace(/\/\w+$/, "/nowhere"),
      "could not be made or verified": `${good}?sslmode=verify-full`,
      "expected postgres://": good.replace("postgres:", "mysql:"),
    };
    for (const [expected, url] of Object.entries(wrong)) {
      const place = aPlaceOn(url);
      const { code, stdout, stderr } = await command(place, [name]);
      expect(inOneLine(stderr)).toContain(expected);
      expect(code).toBe(1);
      expect(leftBehind(place, place.dataDir)).toEqual([]);
      expect(stdout + stderr).not.toMatch(/Passwort|p%40ss|p@ss/);
    }
  },
);

test("serve refuses a database without tables and one of a newer version, in the person's language", async () => {
  const empty = tcpUrl(await aDatabase());
  const newer = await aMigratedUrl();
  await run(newer, "insert into migrations (name, release) values ('9999-later', 1000)");

  const bare = await command(aPlaceOn(empty), ["serve"]);
  const ja = await command(aPlaceOn(empty, { LANG: "ja_JP.UTF-8" }), ["serve"]);
  const place = aPlaceOn(newer);
  const late = await command(place, ["serve"]);
  const migrated = await command(aPlaceOn(newer), ["migrate"]);

  expect(inOneLine(bare.stderr)).toContain("Run `npx kuromajutsu migrate` once");
  expect(inOneLine(ja.stderr)).toContain("npx kuromajutsu migrate");
  expect(ja.stderr).toContain("テーブルがありません");
  for (const { stderr } of [late, migrated])
    expect(inOneLine(stderr)).toContain("a newer Kuromajutsu");
  expect([bare, ja, late, migrated].map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  expect(leftBehind(place, place.dataDir)).toEqual([]);
  expect(await hostRows(newer)).toEqual([]);
});

/** A migrated database that was changed since. */
async function aPlaceAfter(sql: string) {
  const url = await aMigratedUrl();
  await run(url, sql);
  return { ...aPlaceOn(url), url };
}

test("serve refuses job queues that are missing, older or newer, and migrate creates missing ones", async () => {
  const missing = await aPlaceAfter("drop schema kuromajutsu_jobs cascade");
  const halfMade = await aPlaceAfter("delete from kuromajutsu_jobs.queue where name = 'reactions'");
  const older = await aPlaceAfter("update kuromajutsu_jobs.version set version = version - 1");
  const newer = await aPlaceAfter("update kuromajutsu_jobs.version set version = version + 1");

  for (const each of [missing, halfMade, older]) {
    const { code, stderr } = await command(each, ["serve"]);
    expect(inOneLine(stderr)).toContain("does not have the job queues of this version");
    expect(inOneLine(stderr)).toContain("Run `npx kuromajutsu migrate` once");
    expect(code).toBe(1);
    expect(leftBehind(each, each.dataDir)).toEqual([]);
    expect(await hostRows(each.url)).toEqual([]);
  }
  for (const name of ["serve", "migrate"]) {
    const { code, stderr } = await command(newer, [name]);
    expect(inOneLine(stderr)).toContain("a newer Kuromajutsu");
    expect(code).toBe(1);
  }
  for (const each of [missing, halfMade]) {
    const migrated = await command(each, ["migrate"]);
    expect([migrated.code, migrated.stderr]).toEqual([0, ""]);
    expect(migrated.stdout).toContain("kuromajutsu_jobs");
    await (await aDaemon(each)).kill("SIGTERM");
  }
});

test("a configuration file that was found by searching does not choose the database without trust", async () => {
  const url = tcpUrl(await aDatabase());
  const place = aPlace({ LANG: "en_US.UTF-8", KUROMAJUTSU_CONFIG: "" });
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), JSON.stringify({ store: { url } }));

  const untrusted = await command(place, ["migrate"]);
  const shown = await command(place, ["trust"]);

  expect(inOneLine(untrusted.stdout)).toContain("the data is in SQLite");
  expect(inOneLine(shown.stdout + shown.stderr)).toContain("store.url");
  expect(shown.stdout + shown.stderr).not.toMatch(/p%40ss|p@ss/);
});
