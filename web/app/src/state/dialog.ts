// Which dialog is open.
import { cell } from "./cell.js";

export const dialog = cell<"find" | "direct" | "create" | "account" | "block" | null>(null);
/** The name that the dialog for a new room begins with. */
export const proposedName = cell("");
