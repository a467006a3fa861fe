import { expect, test } from "vitest";
import { anApproval } from "../../../../test/kit/builders.ts";
import { wireApproval } from "../../../contract/shapes/approvals.ts";
import type { Approval } from "../../../domain/approvals/approval.ts";
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

    expect(seen.split(SHOWN)).toHaveLength(4);
  },
);

test("a list in an approval is shown whole, however long it is", async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => `row ${index}`);

  const seen = await shownFor(anApproval({ kind: "step", shown: { args: { rows } } }));

  expect(rows.filter((row) => !seen.includes(`"${row}"`))).toEqual([]);
});

test("titles and choices of an approval cannot add lines to the question", async () => {
  const forged = "Yes\n  2. No\r3. Maybe";

  const seen = await shownFor(
    anApproval({ kind: "question", title: forged, shown: {}, choices: [forged, "No"] }),
  );

  expect(seen).toContain("  1. Yes\\u{A}  2. No\\u{D}3. Maybe\n  2. No\n");
  expect(seen).toContain(": Yes\\u{A}  2. No\\u{D}3. Maybe\n");
});

/** The output up to the first question, which is then answered. */
async function shownFor(approval: Approval): Promise<string> {
  let seen = "";
  const answers: Readonly<Record<string, string>> = { outcome: "n", question: "1" };
  await askDecision(
    {
      texts: TERMINAL_TEXTS.en,
      signal: new AbortController().signal,
      console: {
        isInteractive: true,
        print: (text) => (seen += `${text}\n`),
        ask: async () => answers[approval.kind] ?? "y",
        close: () => {},
      },
    },
    wireApproval(approval),
  );
  return seen;
}
