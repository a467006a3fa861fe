import { expect, test } from "vitest";
import { parseBundleHeader } from "./bundle-header.ts";

const [A, B] = ["a".repeat(40), "b".repeat(40)];
const parse = (...lines: readonly string[]) =>
  parseBundleHeader(Buffer.from(`${lines.join("\n")}\n\nPACK…`));

test("the header of a bundle names its refs and what it builds on", () => {
  expect(parse("# v2 git bundle", `-${A} The base`, `${B} refs/heads/x`)).toEqual({
    refs: [{ oid: B, name: "refs/heads/x" }],
    prerequisites: [A],
  });
  expect(parse("# v3 git bundle", "@object-format=sha1", `${B} refs/heads/x y`)).toEqual({
    refs: [{ oid: B, name: "refs/heads/x y" }],
    prerequisites: [],
  });
});

test("what is not such a header is not read further", () => {
  expect(parseBundleHeader(Buffer.from("# v2 git bundle\n"))).toBeUndefined();
  expect(parse("# v4 git bundle", `${B} refs/heads/x`)).toBeUndefined();
  expect(parse("# v3 git bundle", "@filter=blob:none", `${B} refs/heads/x`)).toBeUndefined();
  expect(parse("# v2 git bundle", "--upload-pack=x refs/heads/x")).toBeUndefined();
  expect(parse("# v2 git bundle", "main refs/heads/x")).toBeUndefined();
});
