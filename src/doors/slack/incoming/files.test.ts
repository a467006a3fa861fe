import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aTask, NOON } from "../../../../test/kit/builders.ts";
import { aCore } from "../../../../test/kit/core.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { createSlackFiles } from "./files.ts";

const MESSAGE = { team: "T1", channel: "C1", ts: "1.0" };

async function someFiles(answer: RequestListener, apiUrl?: string) {
  const tokens: unknown[] = [];
  const server = createServer((request, response) => {
    tokens.push(request.headers.authorization);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const directory = join(aTempDir(), "files");
  const core = await aCore();
  const files = createSlackFiles({
    core,
    directory,
    tokenOf: async () => "xoxb-1",
    apiUrl: apiUrl ?? `${origin}/api/`,
  });
  const save = (over: Readonly<Record<string, unknown>>, ts = "1.0") =>
    files.save({ ...MESSAGE, ts }, [{ name: "a.csv", url_private: `${origin}/a`, ...over }]);
  return { core, files, save, tokens, directory, origin };
}

test("a file is saved below the directory, whatever its name is", async () => {
  const { save, directory } = await someFiles((_request, response) => response.end("content"));

  for (const name of ["../../a.csv", "..", "/etc/passwd", ".bashrc", "表\u0000\n.csv", ""]) {
    const [saved] = await save({ name });
    const path = saved && "path" in saved ? saved.path : "";
    expect(path).toMatch(new RegExp(`^${directory}/T1_C1_1\\.0/1-[^/.][^/]*$`));
    expect(readFileSync(path, "utf8")).toBe("content");
  }
});

test("the token goes to no other host, and no redirect is followed", async () => {
  const { save, tokens, origin } = await someFiles((_request, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  });

  for (const url of ["http://files.slack.com/a", "https://evil.example/a", "file:///etc/passwd"]) {
    expect(await save({ url_private: url })).toMatchObject([{ problem: "notReadable" }]);
  }
  expect(tokens).toEqual([]);
  // Slack leads a token without the needed scope to a page to sign in.
  expect(await save({ url_private: `${origin}/a` })).toMatchObject([{ problem: "notReadable" }]);
  expect(tokens).toEqual(["Bearer xoxb-1"]);
});

test("a file that is only listed in Slack cannot call Slack's API with the token", async () => {
  const asked: unknown[] = [];
  const { fetch } = globalThis;
  onTestFinished(() => void (globalThis.fetch = fetch));
  globalThis.fetch = async (url) => {
    asked.push(url);
    return new Response("content");
  };
  const { save } = await someFiles(() => undefined, "https://slack.com/api/");

  for (const url of ["https://slack.com/api/auth.revoke", "http://slack.com/a"]) {
    expect(await save({ url_private: url })).toMatchObject([{ problem: "notReadable" }]);
  }
  expect(asked).toEqual([]);
  const own = "https://files.slack.com/files-pri/T1-F1/a.csv";
  expect(await save({ url_private: own })).toMatchObject([{ name: "a.csv" }]);
  expect(asked).toEqual([own]);
});

test("a download that Slack does not answer is tried again", async () => {
  const { save } = await someFiles((_request, response) => response.destroy());

  await expect(save({})).rejects.toThrow("file_download_failed");
});

test("a long name in any writing is cut to what file systems allow, with its ending", async () => {
  const { save } = await someFiles((_request, response) => response.end("content"));

  for (const name of [`${"表".repeat(120)}.xlsx`, `${"𠮷".repeat(120)}.xlsx`, "a".repeat(300)]) {
    const [saved] = await save({ name });
    const path = saved && "path" in saved ? saved.path : "";
    expect(readFileSync(path, "utf8")).toBe("content");
    expect(path.isWellFormed()).toBe(true);
    expect(path.slice(-4)).toBe(name.slice(-4));
  }
});

test("files that are too large, missing or a page to sign in are only named", async () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  const { save, origin, directory } = await someFiles(({ url }, response) => {
    if (url === "/login") response.setHeader("content-type", "text/html");
    if (url === "/gone") response.statusCode = 404;
    if (url === "/big") for (let n = 0; n < 21; n++) response.write(megabyte);
    response.end("page");
  });

  expect(await save({ size: 21 * 1024 * 1024 })).toMatchObject([{ problem: "tooLarge" }]);
  expect(await save({ url_private: `${origin}/big` })).toMatchObject([{ problem: "tooLarge" }]);
  for (const path of ["/login", "/gone"]) {
    const saved = await save({ url_private: `${origin}${path}` });
    expect(saved).toEqual([{ name: "a.csv", problem: "notReadable" }]);
  }
  expect(existsSync(directory)).toBe(false);
});

test("files are deleted once their task is, and not while it may still be created", async () => {
  const { core, files, save, directory } = await someFiles((_request, response) => response.end());
  const ageTo = (ts: string, hours: number) => {
    const at = new Date(Date.now() - hours * 3_600_000);
    utimesSync(join(directory, `T1_C1_${ts}`), at, at);
  };
  const task = aTask();
  const thread = { team: "T1", channel: "C1", threadTs: "1.0", taskId: task.id } as const;
  await core.store.transaction(async (unit) => {
    await unit.insertTask(task);
    await unit.insertSlackThread({ ...thread, user: "U1", locale: "ja", at: NOON });
  });
  await save({});
  ageTo("1.0", 48);
  for (const [ts, hours] of [
    ["2.0", 48],
    ["3.0", 1],
  ] as const) {
    await save({}, ts);
    ageTo(ts, hours);
  }

  await files.clean();

  expect(readdirSync(directory)).toEqual(["T1_C1_1.0", "T1_C1_3.0"]);
});
