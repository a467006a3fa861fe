import { readFile } from "node:fs/promises";
import { SpokenError } from "../../../domain/spoken-error.ts";

const TOKEN_VARIABLE = "KUROMAJUTSU_WORKER_TOKEN";
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function requireServers(texts: readonly string[] = []): readonly URL[] {
  if (texts.length === 0) throw new SpokenError(NO_SERVER);
  return texts.map(requireServer);
}

/** The token would cross the network in clear text without HTTPS. */
function requireServer(text: string): URL {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new SpokenError({
      en: `--server ${text} is not an address. Write it like https://kuro.example.com.`,
      ja: `--server の ${text} はアドレスではありません。https://kuro.example.com のように指定してください。`,
    });
  }
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname)) {
    throw new SpokenError({
      en: `${url.origin} is another machine, and HTTP would show the token and the prompts to everyone between. Use https://.`,
      ja: `${url.origin} は別のマシンです。HTTP ではトークンとプロンプトが途中で読まれるため、https:// を使ってください。`,
    });
  }
  return url;
}

/** Removed from the environment: agents inherit it, and could read it there. */
export async function readWorkerToken(file: string | undefined): Promise<string> {
  const named = process.env[TOKEN_VARIABLE];
  delete process.env[TOKEN_VARIABLE];
  if (file === undefined && !named) throw new SpokenError(NO_TOKEN);
  const text = file === undefined ? named : await readTokenFile(file);
  const token = text?.trim() ?? "";
  if (/^[\w-]{20,200}$/.test(token)) return token;
  throw new SpokenError({
    en: `${file ?? TOKEN_VARIABLE} does not contain a token of a worker. Make one with \`kuromajutsu worker add NAME\` where a server runs.`,
    ja: `${file ?? TOKEN_VARIABLE} にワーカーのトークンがありません。サーバーのあるマシンで \`kuromajutsu worker add 名前\` を実行して作ってください。`,
  });
}

async function readTokenFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SpokenError({
      en: `The token file cannot be read (${why}).`,
      ja: `トークンのファイルを読めません（${why}）。`,
    });
  }
}

const NO_SERVER = {
  en: "Name the server: `kuromajutsu worker --server https://kuro.example.com --token-file FILE`.",
  ja: "サーバーを指定してください: `kuromajutsu worker --server https://kuro.example.com --token-file ファイル`",
};
const NO_TOKEN = {
  en: `The worker needs a token. Make one with \`kuromajutsu worker add NAME\` where a server runs, and name its file with --token-file, or set ${TOKEN_VARIABLE}.`,
  ja: `トークンが必要です。サーバーのあるマシンで \`kuromajutsu worker add 名前\` を実行して作り、--token-file でファイルを指定するか、${TOKEN_VARIABLE} に設定してください。`,
};
