import { z } from "zod";
import type { RouteContract } from "../route-contract.ts";
import {
  duplicateRoleShape,
  expectedHashShape,
  newRoleShape,
  roleFieldsShape,
  roleSavedShape,
  roleShape,
  rolesAnswerShape,
  roleToolShape,
} from "../shapes/roles.ts";
import { NO_INPUT, ONLY_ID } from "./inputs.ts";

const dryRun = z
  .enum(["true", "false"])
  .default("false")
  .describe("true: answers the file's text before and after, and writes nothing");
const saving = z.strictObject({ dryRun });
const expectedHash = expectedHashShape.describe("The hash GET gave; another file is refused");

export const listRoles = {
  ...NO_INPUT,
  method: "get",
  path: "/api/roles",
  summary: "Every role with all its fields",
  answer: rolesAnswerShape,
} as const satisfies RouteContract;

export const getRole = {
  ...ONLY_ID,
  method: "get",
  path: "/api/roles/{id}",
  summary: "One role",
  answer: roleShape,
} as const satisfies RouteContract;

export const createRole = {
  ...NO_INPUT,
  method: "post",
  path: "/api/roles",
  summary: "Create a role, or restore a deleted one",
  query: saving,
  body: newRoleShape.extend({ expectedHash }),
  answer: roleSavedShape,
  status: 201,
} as const satisfies RouteContract;

export const updateRole = {
  ...ONLY_ID,
  method: "put",
  path: "/api/roles/{id}",
  summary: "Change fields of a role; null resets a field to its default",
  query: saving,
  body: roleFieldsShape.extend({ expectedHash }),
  answer: roleSavedShape,
} as const satisfies RouteContract;

export const duplicateRole = {
  ...ONLY_ID,
  method: "post",
  path: "/api/roles/{id}/duplicate",
  summary: "Create a role as a copy of another",
  query: saving,
  body: duplicateRoleShape.extend({ expectedHash }),
  answer: roleSavedShape,
  status: 201,
} as const satisfies RouteContract;

export const deleteRole = {
  ...ONLY_ID,
  method: "delete",
  path: "/api/roles/{id}",
  summary: "Delete a role; a built-in one is switched off",
  query: z.strictObject({ dryRun, expectedHash }),
  answer: roleSavedShape,
} as const satisfies RouteContract;

const roleTools = z.object({ tools: z.array(roleToolShape) });

export const listRoleTools = {
  ...NO_INPUT,
  method: "get",
  path: "/api/role-tools",
  summary: "The role tools",
  answer: roleTools,
} as const satisfies RouteContract;

/** It runs commands, so it is not a GET: a page of another site can make a browser send a GET. */
export const checkRoleTools = {
  ...NO_INPUT,
  method: "post",
  path: "/api/role-tools/check",
  summary: "Run the check command of every role tool",
  answer: roleTools,
} as const satisfies RouteContract;
