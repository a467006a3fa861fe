import { expect, test } from "vitest";
import { widthOf } from "./columns.ts";
import { wrapText } from "./wrap-text.ts";

const JA =
  "リハーサルの実行方針です。モデルには問い合わせていません。依頼は「ノートを整理して」で、承認されるまで何も実行しません。";

test("wrapped Japanese fits the columns, loses nothing, and no line begins with a closing mark", () => {
  for (let columns = 20; columns <= 60; columns += 1) {
    const lines = wrapText(JA, columns).split("\n");

    expect(lines.join("")).toBe(JA);
    for (const line of lines) {
      expect(widthOf(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/^[。、」]|「$/);
    }
  }
});

test("English is broken at spaces only, and punctuation stays with its word", () => {
  const text = "The daemon was stopped, so this ends here (and no other one is started). Go on.";

  expect(wrapText(text, 24)).toBe(
    "The daemon was stopped,\nso this ends here (and\nno other one is\nstarted). Go on.",
  );
});

test("a list item continues under its text", () => {
  expect(wrapText("  1. Read every file of the project", 20)).toBe(
    "  1. Read every file\n     of the project",
  );
  expect(wrapText("💡 While it runs, try to block it", 20)).toBe(
    "💡 While it runs,\n   try to block it",
  );
});

test.each([
  "見るには: npx kuromajutsu tasks task-01ABC follow",
  "戻らないときは `kuromajutsu serve --port 9700` を実行してください",
  "結果の詳細: http://127.0.0.1:9696/tasks/task-01ABCDEFGHJKMNPQRSTVWXYZ00",
])("a command or an address is never broken: %s", (text) => {
  const [whole = ""] =
    /(?:npx )?kuromajutsu [ -~]*[!-~]|http\S+/.exec(text.replaceAll("`", "")) ?? [];

  expect(wrapText(text, 30).replaceAll("`", "")).toContain(whole.trim());
});

test("colours and links take no column and stay where they are", () => {
  const red = "\u001B[31mThe colour goes on here\u001B[39m and ends";

  expect(wrapText(red, 24)).toBe("\u001B[31mThe colour goes on here\u001B[39m\nand ends");
});

test("a line that fits is not changed, whatever is in it", () => {
  expect(wrapText("a   b\n\tc  ", 20)).toBe("a   b\n\tc  ");
});

test("a line that is a command is not wrapped, so that it can be copied", () => {
  const command = '   npx kuromajutsu tasks task-1 block --reason "change the order"';
  const ja = '   /opt/bin/kuromajutsu tasks task-1 block --reason "順番を変えたい"';

  expect(wrapText(`To stop it:\n${command}\n${ja}`, 40)).toBe(`To stop it:\n${command}\n${ja}`);
  expect(wrapText("   kuromajutsuの使い方を端末で読むには、次の行を見てください", 40)).toContain(
    "\n",
  );
});
