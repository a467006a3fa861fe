import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { errorCode } from "../../base/error-code.ts";
import type { Texts } from "../../domain/locale.ts";
import { ConfigError } from "./config-error.ts";
import { CONFIG_FILE_NAME } from "./locate.ts";

export const MAX_FILE_BYTES = 1_048_576;

/** The file's text; undefined if it does not exist and was not named explicitly. */
export async function readConfigFile(path: string, explicit: boolean): Promise<string | undefined> {
  const bytes = await readBytes(path).catch((error: unknown) => {
    if (error instanceof ConfigError) throw error;
    const code = errorCode(error);
    if (!explicit && isAbsent(code)) return undefined;
    throw failure(describeReadError(path, code, error));
  });
  return bytes === undefined ? undefined : decode(path, bytes);
}

export function describeReadError(path: string, code: string | undefined, error: unknown): Texts {
  if (isAbsent(code)) {
    return {
      en: `${path}: not found. It was named with --config or KUROMAJUTSU_CONFIG; correct the path, or leave it out to use the nearest ${CONFIG_FILE_NAME} or the defaults.`,
      ja: `${path}: ありません。--config か KUROMAJUTSU_CONFIG で指定されたファイルです。パスを直すか、指定をやめて近くの ${CONFIG_FILE_NAME} か既定値を使ってください。`,
    };
  }
  if (code === "EACCES" || code === "EPERM") {
    return {
      en: `${path}: may not be read (permission denied). Give this user the right to read it.`,
      ja: `${path}: 読む権限がありません。このユーザーが読めるようにしてください。`,
    };
  }
  const why = code ?? String(error);
  return { en: `${path}: cannot be read (${why}).`, ja: `${path}: 読めません（${why}）。` };
}

async function readBytes(path: string): Promise<Buffer> {
  const found = await stat(path);
  if (found.isDirectory()) {
    throw failure({
      en: `${path}: is a directory; expected a YAML file such as ${CONFIG_FILE_NAME}.`,
      ja: `${path}: ディレクトリです。${CONFIG_FILE_NAME} のような YAML ファイルを指定してください。`,
    });
  }
  // Reading a pipe or a device might never end.
  if (!found.isFile()) {
    throw failure({
      en: `${path}: is not a regular file; expected a YAML file.`,
      ja: `${path}: 通常のファイルではありません。YAML ファイルを指定してください。`,
    });
  }
  if (found.size > MAX_FILE_BYTES) {
    throw failure({
      en: `${path}: has ${found.size} bytes; a configuration file has at most ${MAX_FILE_BYTES} (1 MiB).`,
      ja: `${path}: ${found.size} バイトあります。設定ファイルは ${MAX_FILE_BYTES} バイト（1 MiB）までです。`,
    });
  }
  return readFile(path);
}

function decode(path: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const utf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  throw failure(
    utf16
      ? {
          en: `${path}: is UTF-16; expected UTF-8. Save it again as UTF-8.`,
          ja: `${path}: UTF-16 です。UTF-8 で保存し直してください。`,
        }
      : {
          en: `${path}:${firstBadLine(bytes)}: is not valid UTF-8 in this line. Save the file again as UTF-8.`,
          ja: `${path}:${firstBadLine(bytes)}: この行が正しい UTF-8 ではありません。UTF-8 で保存し直してください。`,
        },
  );
}

function firstBadLine(bytes: Buffer): number {
  let line = 1;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    if (newline === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
    line += 1;
  }
}

function failure(text: Texts): ConfigError {
  return new ConfigError([{ text, at: null }]);
}

function isAbsent(code: string | undefined): boolean {
  return code === "ENOENT" || code === "ENOTDIR";
}
