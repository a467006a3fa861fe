import { expect, test } from "vitest";
import { anApproval } from "../../../../test/kit/builders.ts";
import { wireApproval } from "../../../contract/shapes/approvals.ts";
import type { Approval } from "../../../domain/approvals/approval.ts";
import { PLAIN_STYLE } from "../screen/style.ts";
import { askDecision } from "./ask-decision.ts";
import { TERMINAL_TEXTS } from "./terminal-texts.ts";

const TAGS = Array.from("pay", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
const HIDDEN = `safe\u202e\u200b\u007f\u009b${TAGS.join("")}`;
const SHOWN = "safe\\u{202E}\\u{200B}\\u{7F}\\u{9B}\\u{E0070}\\u{E0061}\\u{E0079}";

test.each(["step", "unplanned_tool", "outcome", "question"] as const)(
  "a person sees every character of what a %s is about, in keys and in values",
  async (kind) => {
    const seen = await shownFor(
      anApproval({ kind, shown: { args: { [HIDDEN]: [HIDDEN] }, question: HIDDEN } }),
    );

    // Long values are wrapped.
    expect(seen.replaceAll(/\s/g, "").split(SHOWN)).toHaveLength(4);
  },
);

test("a merge shows its files with numbers, the branch, the message, the check and every hidden character", async () => {
  const file = { path: HIDDEN, status: "modified", added: 3, removed: 1 };
  const seen = await shownFor(
    anApproval({
      kind: "merge",
      shown: {
        agentId: "impl-code-1-a",
        version: 2,
        target: "main",
        mode: "squash",
        message: `Add it\n\n${HIDDEN}`,
        intoCheckout: true,
        isClean: false,
        conflicts: [{ path: "src/a.ts", type: "contents" }],
        check: "npm test",
        fileCount: 2_001,
        added: 30,
        removed: 10,
        files: [file, { path: "logo.png", status: "added", added: null, removed: null }],
        attention: [{ type: "mass_deletion", deleted: 9, total: 10 }],
        change: "c".repeat(40),
      },
    }),
  );

  expect(seen).toContain("Change of impl-code-1-a (version 2) → main (squash)\n");
  expect(seen).toContain("2001 files  +30 −10\n");
  expect(seen).toContain(`M  ${SHOWN}  +3 −1\n`);
  expect(seen).toContain("A  logo.png  bin\n    1999 more files\n");
  expect(seen).toContain("Files in conflict\n    src/a.ts\n");
  expect(seen).toContain("9 of 10 files are deleted.");
  expect(seen).toContain(`Add it\n    \n    ${SHOWN}\n`);
  expect(seen).toContain("Check  npm test\n");
  expect(seen).toContain("A checkout of the branch is fast-forwarded, too.\n");
  expect(seen).toContain("c".repeat(40));
});

test("a long list in an approval says how much is left out, and `v` shows all of it", async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => `row ${index}`);

  const seen = await shownFor(anApproval({ kind: "step", shown: { args: { rows } } }), ["v", "y"]);

  const [bounded = "", whole = ""] = seen.split("[paged]");
  expect(bounded.split("\n").length).toBeLessThan(50);
  expect(bounded).toMatch(/… 2962 more lines · v shows everything · http:\/\/x\/approvals\/1/);
  expect(rows.filter((row) => !whole.includes(row))).toEqual([]);
});

test("an approval of 24 rows with 7 columns is a table that needs no `v` if it fits", async () => {
  const rows = Array.from({ length: 24 }, (_, row) =>
    Object.fromEntries("abcdefg".split("").map((name) => [name, `${name}${row}`])),
  );

  const seen = await shownFor(
    anApproval({ kind: "step", shown: { tool: "hr/write", args: { rows } } }),
  );

  expect(seen).toContain("a    b    c    d    e    f    g\n");
  expect(seen).toContain("a23  b23  c23  d23  e23  f23  g23\n");
  expect(seen).not.toContain("v shows everything");
});

test("a wrong letter is answered with the letters that count", async () => {
  const seen = await shownFor(anApproval({ kind: "step", shown: {} }), ["what", "ｙ"]);

  expect(seen).toContain("Type y or n and press Enter.\n");
});

test("titles and choices of an approval cannot add lines to the question", async () => {
  const forged = "Yes\n  2. No\r3. Maybe";

  const seen = await shownFor(
    anApproval({ kind: "question", title: forged, shown: {}, choices: [forged, "No"] }),
  );

  expect(seen).toContain("  1. Yes\\u{A}  2. No\\u{D}3. Maybe\n  2. No\n");
  expect(seen).toContain("question. Yes\\u{A}  2. No\\u{D}3. Maybe\n");
});

/** The output up to the first question, which is then answered. */
async function shownFor(approval: Approval, typed: readonly string[] = []): Promise<string> {
  let seen = "";
  const answers: Readonly<Record<string, string>> = { outcome: "n", question: "1" };
  const left = [...typed];
  await askDecision(
    {
      texts: TERMINAL_TEXTS.en,
      signal: new AbortController().signal,
      console: {
        isInteractive: true,
        write: () => {},
        print: (text) => (seen += `${text}\n`),
        ask: async () => left.shift() ?? answers[approval.kind] ?? "y",
        canRedraw: false,
        style: PLAIN_STYLE,
        size: () => ({ columns: 80, rows: 24 }),
        live: () => {},
        page: async (text) => void (seen += `[paged]${text}`),
        isPaging: () => false,
        close: () => {},
      },
      address: "http://x/approvals/1",
    },
    wireApproval(approval),
  );
  return seen;
}
