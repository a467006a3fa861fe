import { expect, test } from "vitest";
import { diagnoseGemini } from "./diagnose.ts";

const AT = 1_794_733_200_000;
const ADVICE =
  "\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio, or switch to another /auth method";

test.each([
  ["Invalid auth method selected.", "signed-out"],
  [
    "Please set an Auth method in your /home/dev/.gemini/settings.json or specify one of the following environment variables before running: GEMINI_API_KEY, GOOGLE_GENAI_USE_VERTEXAI, GOOGLE_GENAI_USE_GCA",
    "signed-out",
  ],
  ['[API Error: {"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}]', "signed-out"],
  ["[API Error: API key not valid. Please pass a valid API key.]", "signed-out"],
  ["[API Error: You have exhausted your daily quota on this model.]", "quota"],
  [
    "[API Error: You have exhausted your capacity on this model. Your quota will reset after 3h20m5s.]",
    "quota",
  ],
  [
    `[API Error: You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.]${ADVICE}`,
    "rate-limit",
  ],
  [`[API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]${ADVICE}`, "rate-limit"],
  [`[API Error: The server answers 429.]${ADVICE}`, "rate-limit"],
  [
    "ApiError: no\n  cause: { code: 503, message: 'no', details: [] },\n  status: 503",
    "overloaded",
  ],
  [
    '[API Error: {"error":{"code":429,"message":"No capacity available for model gemini-3-pro"}}]',
    "overloaded",
  ],
  ['[API Error: {"error":{"code":503,"status":"UNAVAILABLE"}}]', "overloaded"],
  [
    "[API Error: models/gemini-9 is not found for API version v1beta. (Status: NOT_FOUND)]",
    "model-unknown",
  ],
  ['Error resuming session: Invalid session identifier "s-1".', "session-lost"],
  ["Error resuming session: No previous sessions found for this project.", "session-lost"],
])("Gemini's %j is the failure %s", (text, kind) => {
  const found = diagnoseGemini(text, 1, AT);

  expect(found?.failure.kind).toBe(kind);
  expect(found?.message).toMatch(/`/);
});

test("exit code 41 means that Gemini is not signed in, whatever it says", () => {
  expect(diagnoseGemini("YOLO mode is enabled.", 41)?.failure.kind).toBe("signed-out");
});

test("the noise on stderr of a successful Gemini run is no failure", () => {
  const noise =
    "YOLO mode is enabled. All tool calls will be automatically approved.\nRipgrep is not available. Falling back to GrepTool.";

  expect(diagnoseGemini(noise, 1)).toBeUndefined();
});

test.each([
  ["Your quota will reset after 3h20m5s. You have exhausted your capacity", 12_005_000],
  ["exceeded your current quota. Please retry in 34.07s.", 34_070],
  ['{"error":{"code":429,"details":[{"retryDelay":"900s"}]}}', 900_000],
])("the time after which a Gemini limit ends is read from %j", (text, wait) => {
  expect(diagnoseGemini(text, 1, AT)?.failure.resetsAt).toBe(AT + wait);
});

test("a wait of many minutes is a used-up Gemini quota, not a burst", () => {
  expect(diagnoseGemini("RESOURCE_EXHAUSTED. Please retry in 900s.", 1)?.failure.kind).toBe(
    "quota",
  );
  expect(diagnoseGemini("RESOURCE_EXHAUSTED. Please retry in 30s.", 1)?.failure.kind).toBe(
    "rate-limit",
  );
});
