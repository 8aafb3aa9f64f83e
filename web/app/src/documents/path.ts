import type { Room } from "@parley/client";

/** Returns the path of a document. */
export const documentPath = (room: Room, doc: string) =>
  `/rooms/${encodeURIComponent(room.id)}/documents/${encodeURIComponent(doc)}` as const;

/** Returns the path of a part of a document. */
export const partPath = (room: Room, doc: string, part: string) =>
  `${documentPath(room, doc)}/parts/${encodeURIComponent(part)}` as const;

/** The id of a document's first part, which has no visible name while it is the only one. */
export const onlyPart = "text";
