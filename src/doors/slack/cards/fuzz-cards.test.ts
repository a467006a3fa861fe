import { expect, test } from "vitest";
import {
  checkBlocks,
  checkView,
  textsOf,
  type ShownText,
} from "../../../../test/kit/slack/block-kit.ts";
import {
  createFuzz,
  NASTY_TEXTS,
  repeatEntries,
  replaceTexts,
} from "../../../../test/kit/slack/fuzz.ts";
import type { Change, Sample, Shown } from "../../../../test/kit/slack/samples/sample.ts";
import { SAMPLES } from "../../../../test/kit/slack/samples/samples.ts";
import { LOCALES } from "../../../domain/locale.ts";
import { CARD_NAMES } from "./render-card.ts";

const CASES = 10_000;
const SEED = 20_261_115;

/** What our own code may write between `<` and `>`. */
const OURS =
  /^<(?:@U012HANA|@U034KEN|!date\^\d+\^\{date_short_pretty\} \{time_secs\}\|[-\d]{10} [:\d]{8} UTC)>$/;
const ENTITY = /^&(?:amp|lt|gt);/;

function problemsOf(shown: Shown): readonly string[] {
  switch (shown.kind) {
    case "card": {
      const { attachments, ...rest } = shown.message;
      const [{ blocks, fallback }] = attachments;
      return [
        ...checkBlocks(blocks),
        ...(Object.keys(rest).length > 0 ? ["more than attachments"] : []),
        ...[...textsOf(blocks), { text: fallback, isMrkdwn: true }].flatMap(problemsOfText),
      ];
    }
    case "view":
      return [...checkView(shown.view), ...textsOf(shown.view).flatMap(problemsOfText)];
    case "notice": {
      const { blocks, text } = shown.notice;
      return [
        ...checkBlocks(blocks),
        ...[...textsOf(blocks), { text, isMrkdwn: true }].flatMap(problemsOfText),
      ];
    }
  }
}

function problemsOfText({ text, isMrkdwn }: ShownText): readonly string[] {
  const problems: string[] = [];
  if (text === "") problems.push("empty text");
  if (!text.isWellFormed()) problems.push("lone surrogate");
  if (isMrkdwn && text.split("```").length % 2 === 0) problems.push("odd number of fences");
  // A quote begins with a bare > at the beginning of its line.
  const quoteless = text.replaceAll(/^(?:> )+/gm, "");
  const tokens = quoteless.match(/<[^<>]*>/g) ?? [];
  if (tokens.some((token) => !OURS.test(token))) problems.push("foreign <…>");
  if (/[<>]/.test(quoteless.replaceAll(/<[^<>]*>/g, ""))) problems.push("cut <…>");
  for (const { index } of text.matchAll(/&/g)) {
    if (!ENTITY.test(text.slice(index, index + 5))) problems.push("bare or cut &");
  }
  if (/[\u202a-\u202e\u2066-\u2069]/.test(text)) problems.push("direction override");
  return problems.map((problem) => `${problem} in ${JSON.stringify(text.slice(0, 200))}`);
}

/** `reason` is a text on cards, and one of a fixed set in notices. */
function changeOf(sample: Sample, next: () => string): Change {
  const isNotice = sample.name.startsWith("refusal-") || sample.name.startsWith("link-");
  return replaceTexts(next, (key) => isNotice && key === "reason");
}

test("the samples show every card", () => {
  expect(new Set(SAMPLES.flatMap(({ cardName }) => cardName ?? []))).toEqual(new Set(CARD_NAMES));
  expect(new Set(SAMPLES.map(({ name }) => name)).size).toBe(SAMPLES.length);
});

test.each(SAMPLES)("$name is accepted by Slack", (sample) => {
  for (const locale of LOCALES) expect(problemsOf(sample.show(locale))).toEqual([]);
});

test.each(SAMPLES)("$name is accepted by Slack, whatever its texts contain", (sample) => {
  for (const [index, text] of NASTY_TEXTS.entries()) {
    const locale = LOCALES[index % LOCALES.length] ?? "ja";
    const shown = sample.show(
      locale,
      changeOf(sample, () => text),
    );
    expect({ text, problems: problemsOf(shown) }).toEqual({ text, problems: [] });
  }
});

test.each(SAMPLES)("$name is accepted by Slack, however much it has to show", (sample) => {
  const crowd = repeatEntries(60);
  for (const text of ["short", "あ".repeat(4_000), "<&>".repeat(1_000), "`*".repeat(2_000)]) {
    const change = changeOf(sample, () => text);
    const shown = sample.show("ja", (view) => crowd(change(view)));
    expect({ text, problems: problemsOf(shown) }).toEqual({ text, problems: [] });
  }
});

test(`Slack accepts the cards with ${CASES} fuzzed texts`, () => {
  const fuzz = createFuzz(SEED);
  for (let round = 0; fuzz.count() < CASES; round++) {
    const sample = SAMPLES[round % SAMPLES.length];
    const locale = LOCALES[round % LOCALES.length];
    if (sample === undefined || locale === undefined) break;
    const { name } = sample;
    const problems = problemsOf(sample.show(locale, changeOf(sample, fuzz.text)));
    expect({ name, problems }).toEqual({ name, problems: [] });
  }
});
