import { expect, test } from "vitest";
import { errorsOf } from "../../../test/kit/schema-errors.ts";
import { groupFileShapes, roleFileShape, taskFileShape } from "../shapes/template-file.ts";
import { expectedIn } from "./expected-texts.ts";
import { configSchema } from "./schema.ts";

const SCHEMAS = {
  configuration: configSchema,
  task: taskFileShape,
  role: roleFileShape,
  ...groupFileShapes,
};

test.each(Object.entries(SCHEMAS))(
  "every rule of the schema %s is there in Japanese",
  (_name, schema) => {
    const rules = [...errorsOf(schema)];

    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter((rule) => expectedIn(rule, "ja") === undefined)).toEqual([]);
  },
);

test("a rule with numbers or words keeps them in Japanese", () => {
  expect(expectedIn("a whole number from 1 to 1000", "ja")).toBe("1 から 1000 までの整数");
  expect(expectedIn("one of debug, info", "ja")).toBe("debug, info のいずれか");
  expect(expectedIn("one of debug, info", "en")).toBe("one of debug, info");
});
