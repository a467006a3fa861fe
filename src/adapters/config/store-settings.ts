import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorCode } from "../../base/error-code.ts";
import type { Config } from "../../contract/config/schema.ts";
import type { Texts } from "../../domain/locale.ts";
import { problemOfUrl } from "./check-store.ts";
import type { ConfigProblem } from "./config-error.ts";

/** The database in use; without a URL it is SQLite. The URL has a password: never print it. */
export type StoreSettings = Omit<Config["store"], "urlFile">;

export type StoreSetting = {
  readonly store: StoreSettings;
  readonly problems: readonly ConfigProblem[];
  readonly notes: readonly string[];
};

/** The variable wins over the file. `file` is the configuration file, where relative paths start. */
export async function storeSetting(
  { url, urlFile, ...rest }: Config["store"],
  fromEnv: string | undefined,
  file: string,
): Promise<StoreSetting> {
  if (fromEnv !== undefined) {
    const text = problemOfUrl("KUROMAJUTSU_DATABASE_URL", fromEnv);
    return {
      store: { url: fromEnv, ...rest },
      problems: problemsOf(text),
      notes: ["store.url is set by KUROMAJUTSU_DATABASE_URL."],
    };
  }
  if (urlFile === undefined) {
    return { store: { ...(url !== undefined && { url }), ...rest }, problems: [], notes: [] };
  }
  return fromFile(resolve(dirname(file), urlFile), rest);
}

async function fromFile(path: string, rest: Omit<StoreSettings, "url">): Promise<StoreSetting> {
  const name = `store.urlFile (${path})`;
  try {
    const url = (await readFile(path, "utf8")).trim();
    return {
      store: { url, ...rest },
      problems: problemsOf(problemOfUrl(name, url)),
      notes: [],
    };
  } catch (error) {
    const why = errorCode(error) ?? String(error);
    const text = {
      en: `${name}: cannot be read (${why}); write the address of the database into it, and let this user read it`,
      ja: `${name}: 読めません（${why}）。データベースのアドレスを書き、このユーザーが読めるようにしてください。`,
    };
    return { store: rest, problems: problemsOf(text), notes: [] };
  }
}

function problemsOf(text: Texts | undefined): readonly ConfigProblem[] {
  return text ? [{ text, at: null }] : [];
}
