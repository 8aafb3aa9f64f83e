import type { Room } from "@parley/client";
import { roomPath } from "../api/load.js";

/** The path of a document or of one of its parts. */
export const documentPath = (room: Room, id: string, ...rest: (string | number)[]) => roomPath(room.id, "documents", id, ...rest);

/** The id of the only part of a document that needs no more. */
export const onlyPart = "text";
