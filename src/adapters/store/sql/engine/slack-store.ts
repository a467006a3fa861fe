import type { SlackChanges, SlackQueries } from "../../../../app/ports/slack-store.ts";
import {
  deleteSlackDeliveriesBefore,
  getSlackDelivery,
  insertSlackDelivery,
  listDueSlackDeliveries,
  updateSlackDelivery,
} from "../slack/deliveries.ts";
import {
  findSlackMessage,
  getSlackMessage,
  getSlackRequest,
  getSlackThread,
  insertSlackThread,
  listOpenSlackBoards,
  listOpenSlackThreads,
  listSlackMessagesOfTask,
  listSlackThreadsOfTask,
  listUnsentSlackMessages,
  putSlackMessage,
  settleSlackThread,
} from "../slack/messages.ts";
import {
  deleteSlackInstallation,
  deleteSlackLink,
  getSlackInstallation,
  getSlackLink,
  insertSlackCode,
  listSlackInstallations,
  listSlackLinks,
  putSlackInstallation,
  putSlackLink,
  takeSlackCode,
} from "../slack/workspaces.ts";
import type { Run } from "./queries.ts";

export function createSlackQueries(run: Run): SlackQueries {
  return {
    getSlackDelivery: (key) => run((db) => getSlackDelivery(db, key)),
    listDueSlackDeliveries: (now, limit) => run((db) => listDueSlackDeliveries(db, now, limit)),
    getSlackThread: (team, channel, threadTs) =>
      run((db) => getSlackThread(db, team, channel, threadTs)),
    getSlackRequest: (team, channel, messageTs) =>
      run((db) => getSlackRequest(db, team, channel, messageTs)),
    listSlackThreadsOfTask: (taskId) => run((db) => listSlackThreadsOfTask(db, taskId)),
    listOpenSlackThreads: () => run(listOpenSlackThreads),
    getSlackMessage: (key) => run((db) => getSlackMessage(db, key)),
    findSlackMessage: (team, channel, ts) => run((db) => findSlackMessage(db, team, channel, ts)),
    listSlackMessagesOfTask: (taskId) => run((db) => listSlackMessagesOfTask(db, taskId)),
    listUnsentSlackMessages: (limit) => run((db) => listUnsentSlackMessages(db, limit)),
    listOpenSlackBoards: () => run(listOpenSlackBoards),
    getSlackInstallation: (team) => run((db) => getSlackInstallation(db, team)),
    listSlackInstallations: () => run((db) => listSlackInstallations(db)),
    getSlackLink: (team, user) => run((db) => getSlackLink(db, team, user)),
    listSlackLinks: (personId) => run((db) => listSlackLinks(db, personId)),
  };
}

export function createSlackChanges(run: Run): SlackChanges {
  return {
    insertSlackDelivery: (delivery) => run((db) => insertSlackDelivery(db, delivery)),
    updateSlackDelivery: (key, change) => run((db) => updateSlackDelivery(db, key, change)),
    deleteSlackDeliveriesBefore: (at) => run((db) => deleteSlackDeliveriesBefore(db, at)),
    insertSlackThread: (thread) => run((db) => insertSlackThread(db, thread)),
    settleSlackThread: (taskId, isSettled) => run((db) => settleSlackThread(db, taskId, isSettled)),
    putSlackMessage: (message) => run((db) => putSlackMessage(db, message)),
    putSlackInstallation: (installation) => run((db) => putSlackInstallation(db, installation)),
    deleteSlackInstallation: (team) => run((db) => deleteSlackInstallation(db, team)),
    putSlackLink: (link) => run((db) => putSlackLink(db, link)),
    deleteSlackLink: (team, user) => run((db) => deleteSlackLink(db, team, user)),
    insertSlackCode: (code) => run((db) => insertSlackCode(db, code)),
    takeSlackCode: (hash, now) => run((db) => takeSlackCode(db, hash, now)),
  };
}
