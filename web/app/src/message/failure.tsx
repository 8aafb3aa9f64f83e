import type { Message, Room } from "@parley/client";

/** Why a message was not sent, and what to do about it. */
export function Failure({ room, message }: { room: Room; message: Message }) {
  return (
    <div class="failure" role="status">
      <span>Not sent. {message.error ?? "The server cannot be reached."}</span>
      <button type="button" class="link" tabIndex={-1} onClick={() => room.retry(message.id)}>Try again</button>
      <button type="button" class="link" tabIndex={-1} onClick={() => room.discard(message.id)}>Discard</button>
    </div>
  );
}
