import { expect, test } from "vitest";
import { mayHaveModel, modelsOfHosts } from "./host-models.ts";

const own = { models: ["a"], checkedAt: 1 };

test("a model is known if the server or a worker lists it", () => {
  const others = { runsAgents: true, lists: [["a", "b"], ["c"]] };
  expect(modelsOfHosts(own, others)).toEqual({ models: ["a", "b", "c"], checkedAt: 1 });
  expect(modelsOfHosts(own, { runsAgents: true, lists: [] })).toEqual(own);
});

test("no model can be refused while a host that runs agents has not listed its models", () => {
  const unlisted = { models: undefined, checkedAt: 1 };
  expect(modelsOfHosts(own, { runsAgents: true, lists: [["b"], undefined] })).toEqual(unlisted);
  expect(modelsOfHosts(unlisted, { runsAgents: true, lists: [["b"]] })).toEqual(unlisted);
  expect(modelsOfHosts(own, { runsAgents: false, lists: [] })).toEqual(unlisted);
});

test("the list of a server does not decide if it runs no agents or lacks the CLI", () => {
  const lists = [["b"]];
  expect(modelsOfHosts(own, { runsAgents: false, lists }).models).toEqual(["b"]);
  const missing = { models: undefined, checkedAt: 1, isMissing: true };
  expect(modelsOfHosts(missing, { runsAgents: true, lists }).models).toEqual(["b"]);
});

test("a host may run a model unless its CLI lists all of its models without it", () => {
  const target = { model: "b", defaultModel: null, takesOtherModels: false };
  expect(mayHaveModel(target, ["a"])).toBe(false);
  expect(mayHaveModel(target, ["a", "b"])).toBe(true);
  expect(mayHaveModel(target, undefined)).toBe(true);
  expect(mayHaveModel({ ...target, takesOtherModels: true }, ["a"])).toBe(true);
  expect(mayHaveModel({ ...target, defaultModel: "b" }, ["a"])).toBe(true);
});
