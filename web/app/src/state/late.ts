/** A shorter wait is not noticed, in milliseconds: only what takes longer is said to load. As in shell.css. */
export const lateTime = 150;
