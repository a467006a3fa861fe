import { describe, expect, test } from "vitest";
import type { CatalogueTool } from "../../domain/tasks/drafting.ts";
import { planChain } from "./chain.ts";
import { readFacts } from "./text-facts.ts";

const TEXT = { type: "string" };
const ID = { type: "string", pattern: "^ID-[0-9]+$" };

function rows(...names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, TEXT]));
  return { type: "array", items: { type: "object", properties, required: names } };
}

type Shape = {
  readonly needs?: Readonly<Record<string, object>>;
  readonly may?: Readonly<Record<string, object>>;
  readonly gives?: Readonly<Record<string, object>> | null;
  readonly writes?: boolean;
};

function aTool(tool: string, { needs = {}, may = {}, gives = {}, writes = false }: Shape) {
  return {
    tool,
    title: null,
    description: "",
    inputSchema: {
      type: "object",
      properties: { ...needs, ...may },
      required: Object.keys(needs),
    },
    outputSchema: gives && { type: "object", properties: gives },
    annotations: { readOnlyHint: !writes },
  } satisfies CatalogueTool;
}

function planned(tools: readonly CatalogueTool[], request = "頼みます"): readonly string[] {
  const facts = readFacts(request, "", new Date(2026, 10, 15));
  return planChain(tools, facts).map(({ tool }) => tool);
}

/** Five tools that pass data on: list, look up by id, calculate, write, notify. */
const PARCELS = aTool("list", { may: { place: TEXT }, gives: { parcels: rows("id", "place") } });
const SCANS = aTool("scans", {
  needs: { month: { type: "string", pattern: String.raw`^\d{4}-\d{2}$` }, parcels: rows("id") },
  gives: { month: TEXT, scans: rows("id", "at") },
});
const DELAYS = aTool("delays", {
  needs: { scans: rows("id") },
  may: { parcels: rows("id") },
  gives: { lines: rows("id", "late"), total: { type: "number" } },
});
const STORE = aTool("store", {
  needs: { title: TEXT, lines: rows("id") },
  gives: { note: TEXT, written: { type: "integer" } },
  writes: true,
});
const TELL = aTool("tell", { needs: { note: TEXT }, gives: { sent: TEXT }, writes: true });
const CHAIN = [PARCELS, SCANS, DELAYS, STORE, TELL];
const IN_ORDER = ["list", "scans", "delays", "store", "tell"];

describe("planChain", () => {
  test("plans from tools that read to tools that write and notify", () => {
    expect(planned(CHAIN, "9月分をまとめて")).toEqual(IN_ORDER);
  });

  test.each([
    [CHAIN.toReversed()],
    [[STORE, PARCELS, TELL, DELAYS, SCANS]],
    [[TELL, DELAYS, STORE, SCANS, PARCELS]],
  ])("does not depend on the order of the catalogue", (catalogue) => {
    expect(planned(catalogue, "9月分をまとめて")).toEqual(IN_ORDER);
  });

  test("does not depend on the names", () => {
    const names = new Map(
      ["parcels", "scans", "lines", "note", "month", "id", "place", "at", "late", "title"].map(
        (name, index) => [name, `x${index * 7}`],
      ),
    );
    const renamed: readonly CatalogueTool[] = CHAIN.map((tool) => ({
      ...tool,
      inputSchema: renameKeys(tool.inputSchema, names),
      outputSchema: renameKeys(tool.outputSchema, names),
    }));

    expect(planned(renamed, "9月分をまとめて")).toEqual(IN_ORDER);
  });

  test("leaves out unconnected tools and a shorter chain", () => {
    const others = [
      aTool("weather", { needs: { city: TEXT }, gives: { forecast: TEXT } }),
      aTool("translate", { needs: { words: TEXT }, gives: { translated: TEXT }, writes: true }),
      aTool("poems", { gives: { poems: rows("verse") } }),
      aTool("print", { needs: { poems: rows("verse") }, writes: true }),
    ];

    expect(planned([...others, ...CHAIN], "9月分をまとめて")).toEqual(IN_ORDER);
  });

  test("leaves out a writing tool that depends only on an early link", () => {
    const drop = aTool("drop", { needs: { parcels: rows("id") }, writes: true });

    expect(planned([drop, ...CHAIN], "9月分をまとめて")).toEqual(IN_ORDER);
  });

  test("ends with all writing tools at the end of the chain", () => {
    const post = aTool("post", { needs: { note: TEXT }, writes: true });

    expect(planned([...CHAIN, post], "9月分をまとめて")).toEqual([...IN_ORDER, "post"]);
  });

  test("takes the longer chain if two tools offer the same data", () => {
    const short = aTool("short", { gives: { note: TEXT, lines: rows("id") } });

    expect(planned([short, ...CHAIN], "9月分をまとめて")).toEqual(IN_ORDER);
  });

  test("stops before a tool that neither the text nor a result can fill", () => {
    expect(planned(CHAIN, "まとめて")).toEqual(["list"]);
  });

  test("adds no writing tool just to fill an optional argument", () => {
    const make = aTool("make", { gives: { extra: rows("id") }, writes: true });
    const end = aTool("end", {
      needs: { parcels: rows("id") },
      may: { extra: rows("id") },
      writes: true,
    });

    expect(planned([make, PARCELS, end])).toEqual(["list", "end"]);
  });

  test("takes a list of ids from the items of another list", () => {
    const ids = { type: "array", items: TEXT };
    const send = aTool("send", { needs: { id: ids }, writes: true });

    expect(planned([send, PARCELS])).toEqual(["list", "send"]);
  });

  test("never takes one item of a list for a single argument", () => {
    const remove = aTool("remove", { needs: { id: ID }, writes: true });

    expect(planned([PARCELS, remove])).toEqual(["list"]);
    expect(planned([PARCELS, remove], "ID-7 を消す")).toEqual(["remove"]);
  });

  test("prefers a chain that writes to a longer one that reads", () => {
    const print = aTool("print", { needs: { parcels: rows("id") }, writes: true });

    expect(planned([...CHAIN.slice(0, 3), print], "9月分")).toEqual(["list", "print"]);
  });

  test("prefers a chain that reads to a single tool", () => {
    const lonely = aTool("lonely", { needs: { words: TEXT }, writes: true });

    expect(planned([lonely, ...CHAIN.slice(0, 3)], "9月分")).toEqual(["list", "scans", "delays"]);
  });
});

describe("planChain with circular data flow", () => {
  test("does not run a tool before one that it needs, even if its output could fill that one", () => {
    const delays = aTool("delays", {
      needs: { scans: rows("id"), month: TEXT },
      gives: { month: TEXT, lines: rows("id"), parcels: rows("id") },
    });

    expect(planned([STORE, delays, SCANS, PARCELS, TELL], "9月分")).toEqual(IN_ORDER);
  });

  test("leaves out two tools that need each other", () => {
    const a = aTool("a", { needs: { y: rows("id") }, gives: { x: rows("id") } });
    const b = aTool("b", { needs: { x: rows("id") }, gives: { y: rows("id") }, writes: true });

    expect(planned([a, b])).toEqual([]);
    expect(planned([a, b, PARCELS])).toEqual(["list"]);
  });

  test("starts with a tool that can run by itself", () => {
    const a = aTool("a", { needs: { y: TEXT }, gives: { x: rows("id") } });
    const b = aTool("b", { needs: { x: rows("id") }, gives: { y: TEXT }, writes: true });

    expect(planned([b, a])).toEqual(["a", "b"]);
  });

  test("does not treat a tool that needs its own output as a chain", () => {
    const self = aTool("self", { needs: { x: rows("id") }, gives: { x: rows("id") } });

    expect(planned([self])).toEqual([]);
  });
});

describe("planChain without connections", () => {
  test("takes the tool that fits the text best", () => {
    const read = aTool("read", { needs: { id: ID } });
    const other = aTool("other", { needs: { words: TEXT } });

    expect(planned([other, read], "ID-3 を見て")).toEqual(["read"]);
  });

  test("takes the first read-only tool among equal ones", () => {
    const write = aTool("write", { needs: { words: TEXT }, writes: true });

    expect(planned([write])).toEqual(["write"]);
    expect(planned([write, aTool("a", {}), aTool("b", {})])).toEqual(["a"]);
  });

  test("does not connect tools without an output schema", () => {
    expect(planned([aTool("a", { gives: null }), aTool("b", { needs: { x: TEXT } })])).toEqual([
      "a",
    ]);
  });

  test("plans nothing without tools", () => {
    expect(planned([])).toEqual([]);
  });
});

test("planChain handles two hundred connected tools", () => {
  const many = Array.from({ length: 200 }, (_one, index) =>
    aTool(`t${index}`, {
      needs: index === 0 ? {} : { [`p${index - 1}`]: rows("id"), note: TEXT },
      gives: { [`p${index}`]: rows("id"), note: TEXT },
      writes: index === 199,
    }),
  );

  expect(planned(many.toReversed())).toHaveLength(200);
});

function renameKeys(value: unknown, names: ReadonlyMap<string, string>): Record<string, unknown> {
  const json = JSON.stringify(value, (_key, member: unknown) => {
    if (Array.isArray(member)) {
      return member.map((one: unknown) =>
        typeof one === "string" ? (names.get(one) ?? one) : one,
      );
    }
    if (typeof member !== "object" || member === null) return member;
    return Object.fromEntries(
      Object.entries(member).map(([key, one]) => [names.get(key) ?? key, one]),
    );
  });
  return JSON.parse(json);
}
