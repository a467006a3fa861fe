import { lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import type { Texts } from "../../domain/locale.ts";
import { othersMayWrite } from "../others-may-write.ts";
import { ConfigError } from "./config-error.ts";

const ROOT = 0;

/**
 * A file that was found by searching is used only if no other user can change it or its folder,
 * which holds the commands with relative paths. root can change everything anyway.
 */
export function requireOwnFile(path: string): void {
  for (const [place, what] of [
    [path, { en: "it", ja: "ファイル" }],
    [dirname(path), { en: "its folder", ja: "そのフォルダー" }],
  ] as const) {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) continue;
    const problem = problemWith(found, place, what);
    if (problem) throw new ConfigError([{ text: refusal(path, problem), at: null }]);
  }
}

function problemWith(found: Stats, place: string, what: Texts): Texts | undefined {
  const uid = process.getuid?.() ?? ROOT;
  if (found.uid !== uid && found.uid !== ROOT) {
    return {
      en: `${what.en} belongs to another user (uid ${found.uid}; you are ${uid}). Make ${place} yours with chown`,
      ja: `${what.ja}が別のユーザーのものです（uid ${found.uid}、あなたは ${uid}）。${place} を chown で自分のものにしてください`,
    };
  }
  if (!othersMayWrite(found)) return undefined;
  const mode = (found.mode & 0o7777).toString(8).padStart(4, "0");
  if ((found.mode & 0o1000) !== 0) {
    return {
      en: `${what.en} is shared by all users (mode ${mode}). Move the file to a folder of your own`,
      ja: `${what.ja}を全ユーザーが共有しています（モード ${mode}）。ファイルを自分のフォルダーに移してください`,
    };
  }
  return {
    en: `other users may change ${what.en} (mode ${mode}). Run: chmod go-w ${place}`,
    ja: `${what.ja}をほかのユーザーが変更できます（モード ${mode}）。chmod go-w ${place} を実行してください`,
  };
}

function refusal(path: string, problem: Texts): Texts {
  return {
    en: `${path}: not used, because ${problem.en}. Or, if you know the file, name it: --config ${path}`,
    ja: `${path}: 使っていません。${problem.ja}。中身を知っているファイルなら、--config ${path} と指定してください。`,
  };
}
