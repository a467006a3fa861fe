import { expect, test } from "vitest";
import { haveSameConfiguration } from "./view-servers.ts";

test.each([
  { of: "no server", servers: [], same: true },
  { of: "equal hashes of one version", servers: ["1 a", "1 a"], same: true },
  { of: "different hashes of one version", servers: ["1 a", "1 b"], same: false },
  {
    of: "different hashes of two versions, while they are updated",
    servers: ["1 a", "2 b"],
    same: true,
  },
  {
    of: "two versions, one of which has different hashes",
    servers: ["1 a", "2 b", "2 c"],
    same: false,
  },
])("configurations are the same by $of: $same", ({ servers, same }) => {
  const rows = servers.map((each) => {
    const [version = "", configHash = ""] = each.split(" ");
    return { version, configHash };
  });

  expect(haveSameConfiguration(rows)).toBe(same);
});
