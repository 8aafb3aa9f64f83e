/** The width up to which a panel covers the room, as in panel.css. */
export const covering = matchMedia("(max-width: 1099px)");
