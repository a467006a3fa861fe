import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILES = ["src/**/*.{ts,tsx}", "web/src/**/*.{ts,tsx}", "docs/*.ja.md", "README.ja.md"];
/** Instructions for models: people do not read them, and their wording is part of a release. */
const FOR_MODELS = /^src\/domain\/(roles\/prompts\/|tasks\/drafting-prompt\.ts)/;

/** The texts of these cards are given by the requirements, word for word. */
const GIVEN = "src/doors/slack/cards/texts/card-texts.ts";

/** Words that docs/glossary.md forbids in texts for people: the pattern, and the word to use. */
const FORBIDDEN = [
  // 次の手順 and so on: how a person sets something up, not the steps of a task.
  [/(?<!停止|次の|以下の|上の)手順/u, "ステップ"],
  [/指揮者/u, "オーケストレーター"],
  [/(?<![ァ-ヶー])ロール(?!ツール|バック|[ァ-ヶー])/u, "職種"],
  [/(?<!実行)方針/u, "実行方針 or 承認ルール"],
  // The button that closes a dialog is キャンセル.
  [/タスク[^。、」"`]*キャンセル|キャンセル(?:しま|され|済み|する)|[(（]キャンセル/u, "中止"],
  [
    /エージェント[をがはにで]? ?(?:\d+|\$\{[^}]*\}) ?[台人件]|(?:\d|\}) ?[台人件]の(?:サブ)?エージェント/u,
    "体",
  ],
  [/だれでも/u, "誰でも"],
  [/停止報告|応答に付与/u, "作成 → 送達 → 既読 → 停止"],
  [
    /(?:ブラウザ|フォルダ|サーバ|ユーザ)(?![ーァ-ヶ])/u,
    "ブラウザー, フォルダー, サーバー, ユーザー",
  ],
  [/ターミナル/u, "端末"],
  [/デッドレター/u, "あきらめたジョブ"],
] as const;

function uses(pattern: RegExp): readonly string[] {
  return globSync(FILES, { cwd: ROOT })
    .filter((path) => !path.includes(".test.") && !FOR_MODELS.test(path) && path !== GIVEN)
    .flatMap((path) =>
      readFileSync(ROOT + path, "utf8")
        .split("\n")
        .flatMap((line, index) =>
          pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
}

test.each(FORBIDDEN)("Japanese texts for people do not use %s; they use %s", (pattern) => {
  expect(uses(pattern)).toEqual([]);
});

test.each([
  ["手順 4 を承認する", true],
  ["次の手順:", false],
  ["停止手順", false],
  ["ロールを選ぶ", true],
  ["コントロール、スクロール、ロールバック、ロールツール", false],
  ["方針を却下", true],
  ["実行方針を却下", false],
  ["タスクをキャンセルしました", true],
  ['cancel: "キャンセル"', false],
  ["エージェントを 3 台動かす", true],
  ["2 人のエージェント", true],
  ["エージェント 3 体、利用者 2 人、承認 3 件", false],
  ["ブラウザで開く", true],
  ["ブラウザーとフォルダーとサーバーとユーザー", false],
  ["ターミナルで実行", true],
])("the patterns judge 「%s」 as forbidden: %s", (text, isForbidden) => {
  expect(FORBIDDEN.some(([pattern]) => pattern.test(text))).toBe(isForbidden);
});
