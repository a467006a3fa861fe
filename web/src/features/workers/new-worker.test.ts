import { expect, test } from "vitest";
import { isWorkerName, labelsError, labelsIn, originProblem, workerCommand } from "./new-worker.ts";

test("labels are separated by spaces and commas of both languages, and repeated ones count once", () => {
  expect(labelsIn(" gpu, repo:app、sandbox　gpu ")).toEqual(["gpu", "repo:app", "sandbox"]);
  expect(labelsIn(" ")).toEqual([]);
});

test("the first label that is not valid is named, and there is a limit", () => {
  expect(labelsError(["gpu", "GPU"])).toEqual({ kind: "bad", label: "GPU" });
  expect(labelsError(Array.from({ length: 21 }, (_, index) => `l${index}`))).toEqual({
    kind: "many",
  });
  expect(labelsError(["gpu", "repo:app"])).toBeUndefined();
});

test("the name of a worker has small letters, digits and three signs", () => {
  expect(isWorkerName("build-1")).toBe(true);
  expect(isWorkerName("Build 1")).toBe(false);
});

test("the command names the server and the labels of the token", () => {
  expect(workerCommand("https://kuro.example.com", "~/worker-token", ["gpu"])).toBe(
    "kuromajutsu worker --server https://kuro.example.com --token-file ~/worker-token --label gpu",
  );
});

test("an address of this machine or without TLS cannot be used by other machines", () => {
  expect(originProblem({ protocol: "http:", hostname: "127.0.0.1" })).toBe("local");
  expect(originProblem({ protocol: "https:", hostname: "localhost" })).toBe("local");
  expect(originProblem({ protocol: "http:", hostname: "kuro.example.com" })).toBe("insecure");
  expect(originProblem({ protocol: "https:", hostname: "kuro.example.com" })).toBeNull();
});
