// Requests as commands for a shell.

/** Returns a word quoted for a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Returns the command that sets TOKEN at a server on this machine. The id of a user may have a `|`. */
export const tokenCommand = (user: string): string => `TOKEN=$(bin/chat token --user ${quote(user)})`;

/** Returns the command that sends a request. The token is the shell's variable TOKEN. */
export function curl(api: string, { method, path, body }: { method: string; path: string; body?: string }): string {
  const words = ["curl -sS"];
  if (method !== "GET") words.push(`-X ${method}`);
  words.push(quote(api + path), '-H "Authorization: Bearer $TOKEN"');
  if (body !== undefined) words.push("-H 'Content-Type: application/json'", `--data-raw ${quote(body)}`);
  return words.join(" ");
}

/** An operation of the API: its method, and a pattern of its paths. */
export interface Operation { readonly id: string; readonly method: string; readonly pattern: RegExp }

/** Returns the operations of an OpenAPI document. */
export function operations(document: { paths: Record<string, Record<string, { operationId?: string }>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) => {
    const parts = path.split(/\{[^}]*\}/).map(text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`^${parts.join("[^/]+")}(\\?.*)?$`);
    return Object.entries(methods)
      .flatMap(([method, { operationId: id }]) => id ? [{ id, method: method.toUpperCase(), pattern }] : []);
  });
}

/** Returns the operation of a request. For /people/me it is the one without a parameter. */
export function operationOf(all: readonly Operation[], method: string, path: string): string | undefined {
  const fitting = all.filter(o => o.method === method && o.pattern.test(path));
  return (fitting.find(o => !o.pattern.source.includes("[^/]+")) ?? fitting[0])?.id;
}

const frameOperations: Record<string, string> = {
  hello: "list-changes", subscribe: "list-changes", sync: "list-changes", ack: "list-changes", changes: "list-changes",
  presence: "get-online", counts: "list-rooms-of-person", unsubscribed: "delete-member",
  "read.changed": "put-read", "room.added": "put-member", "room.removed": "delete-member", "block.changed": "put-block",
  "preferences.changed": "put-preferences",
};

/** Returns a frame's type, and the corresponding operation of the HTTP API. */
export function frameOf(text: string): { type: string; operation: string | undefined } {
  try {
    const frame = JSON.parse(text) as { type?: string; event?: { type?: string } };
    const type = frame.event?.type ?? frame.type ?? "frame";
    return { type, operation: frameOperations[type] };
  } catch {
    return { type: "frame", operation: undefined };
  }
}
