import type { Message } from "@parley/client";

/** A file of a stored message. */
export type Attachment = NonNullable<Message["attachments"]>[number];

/** The message that has a file. */
export type Owner = Pick<Message, "room" | "id">;

/** What shows files of a message. Tab reaches their controls only where tabIndex says so: the log is one stop. */
export interface FileProps { readonly message: Owner; readonly tabIndex: number }
