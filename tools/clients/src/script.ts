// The environment and the checks that the scripts share. Each script runs against a server with
// empty rooms, and fails by throwing.

import { randomBytes } from "node:crypto";

export function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`set ${name}`);
  return value;
}

export function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

// Answer is what both generated clients return. There is no response if the server was not reached.
interface Answer<T> { data?: T; error?: unknown; response?: Response | undefined }

// body returns the body of a successful answer.
export function body<T>(answer: Answer<T>): T {
  if (answer.data === undefined) {
    throw new Error(`${answer.response?.url} answers ${answer.response?.status}: ${JSON.stringify(answer.error)}`);
  }
  return answer.data;
}

// refused checks that an answer is the problem of a status and a type.
export function refused(answer: Answer<unknown>, status: number, type: string) {
  const problem = JSON.stringify(answer.error);
  check(answer.response?.status === status, `${answer.response?.url} answers ${answer.response?.status}, not ${status}: ${problem}`);
  check(problem.includes(`"/problems/${type}"`), `the problem is not ${type}: ${problem}`);
}

// shows checks that an answer was successful and contains some texts.
export function shows<T>(answer: Answer<T>, ...texts: string[]) {
  const text = JSON.stringify(body(answer));
  for (const each of texts) check(text.includes(each), `${answer.response?.url} lacks ${each}: ${text}`);
}

// throttled checks that an answer is API Gateway's own 429, which is no problem.
export function throttled(answer: Answer<unknown>) {
  check(answer.response?.status === 429 && JSON.stringify(answer.error) === '{"message":"Too Many Requests"}', JSON.stringify(answer.error));
}

// Each message that the room everything shows.
export const everyMessage = ["quotes", "replies to all", "tea?", "edited", "deletedAt"];
// The changes of that room, of which the last has a type of a later version.
export const everyChange = ["message.created", "member.changed", "room.changed", "pins.changed", "tide.changed"];

// eventually repeats a request until its answer is as expected, for five seconds.
export async function eventually<T>(what: string, request: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  for (const end = Date.now() + 5000; ; ) {
    const answer = await request();
    if (holds(answer)) return answer;
    check(Date.now() < end, `${what}: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// newUUID returns a UUIDv7 of a time, as clients generate them for messages.
export function newUUID(time = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(time, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

// beyondHead is a position in the feed of the room seattle that no new server has reached.
export const beyondHead = "AxZPuEFeRPfFCsYBXDIwMTgtMDgtMjlUMTE6NTk6MDAuMDAw";
