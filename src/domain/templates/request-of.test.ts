import { expect, test } from "vitest";
import { escapePlaceholders, fillPlaceholders, placeholdersIn } from "./placeholders.ts";
import { missingValues, requestOf } from "./request-of.ts";
import type { TaskTemplate, TemplateValue } from "./template.ts";

const both = (text: string) => ({ ja: text, en: text });

function aValue(over: Partial<TemplateValue> = {}): TemplateValue {
  return {
    name: "period",
    label: both("Period"),
    help: null,
    default: { ja: "今週", en: "this week" },
    choices: [],
    isLong: false,
    ...over,
  };
}

function aTemplate(over: Partial<TaskTemplate> = {}): TaskTemplate {
  return {
    id: "report",
    kind: "task",
    icon: "clipboard",
    name: both("Report"),
    description: both("A report"),
    languages: ["ja", "en"],
    values: [aValue()],
    needs: { servers: [], help: null },
    request: { ja: "{{period}}の報告", en: "Report for {{period}}" },
    priority: null,
    workingDirectory: null,
    hints: { prompt: null, steps: [] },
    ...over,
  };
}

test("requestOf fills in the given value, or the default of the language", () => {
  expect(requestOf(aTemplate(), { period: " 9月 " }, "ja")).toBe("9月の報告");
  expect(requestOf(aTemplate(), {}, "ja")).toBe("今週の報告");
  expect(requestOf(aTemplate(), { period: "  " }, "en")).toBe("Report for this week");
});

test("requestOf takes a choice in either language and writes it in the language of the request", () => {
  const choices = [{ ja: "先週", en: "last week" }, aValue().default ?? both("")];
  const template = aTemplate({ values: [aValue({ choices })] });

  expect(requestOf(template, { period: "先週" }, "en")).toBe("Report for last week");
  expect(() => requestOf(template, { period: "昨日" }, "en")).toThrow(
    "period must be one of: last week, this week.",
  );
});

test("requestOf names every problem of the values and the nearest name", () => {
  const template = aTemplate({ values: [aValue({ default: null })] });

  expect(() => requestOf(template, { perod: "x", y: "z" }, "ja")).toThrow(
    'There is no value "perod"; did you mean "period"? There is no value "y". period is missing.',
  );
  expect(missingValues(template, {})).toHaveLength(1);
  expect(missingValues(template, { period: "x" })).toEqual([]);
});

test("requestOf refuses a value of more than 10,000 characters", () => {
  expect(() => requestOf(aTemplate(), { period: "あ".repeat(10_001) }, "ja")).toThrow(
    "period has 10001 characters; the maximum is 10000.",
  );
});

test("requestOf does not read properties of every object as values", () => {
  const values = [aValue({ name: "constructor" }), aValue({ name: "__proto__" })];
  const template = aTemplate({ values, request: both("{{constructor}} {{__proto__}}") });

  expect(requestOf(template, {}, "en")).toBe("this week this week");
});

test("requestOf adds how it was done before, and leaves it out if the request would be too long", () => {
  const hints = { prompt: both("Read the log."), steps: [both("Read"), both("Write")] };
  const added = requestOf(aTemplate({ hints }), {}, "en");

  expect(added).toContain("Prompt:\nRead the log.");
  expect(added).toContain("Steps:\n1. Read\n2. Write");
  const long = aTemplate({ hints, request: both(`{{period}}${"x".repeat(19_900)}`) });
  expect(requestOf(long, {}, "en")).not.toContain("Steps:");
});

test.each([
  "{{period}}",
  "{{{period}}}",
  "{ period }",
  "} }} {{ {{{{",
  "two\nlines\r\nof text",
  "日本語と👩‍👩‍👧と𠮷",
  "$& $1 $$ \\{{period}}",
])("fillPlaceholders copies the value %j as it is", (value) => {
  const values = new Map([["period", value]]);

  expect(fillPlaceholders("a {{period}} b {{ period }} c", values)).toBe(`a ${value} b ${value} c`);
});

test.each(["{{period}}", "\\{{period}}", "{{{{a}}}}", "\\\\{{x}} {{", "plain"])(
  "a text %j that is escaped has no placeholders and comes back unchanged",
  (text) => {
    const escaped = escapePlaceholders(text);

    expect(placeholdersIn(escaped)).toEqual([]);
    expect(fillPlaceholders(escaped, new Map([["period", "!"]]))).toBe(text);
  },
);

test("placeholdersIn finds names in any language, each once", () => {
  expect(placeholdersIn("{{期間}} {{ a-b_1 }} {{期間}} {{ user.name }} {{👍}} {{}}")).toEqual([
    "期間",
    "a-b_1",
  ]);
});
